import type { PayloadSession } from "@tfxio/format";
import {
  ArgumentError,
  type BatchLimits,
  type PushProgress,
  type RecordBlock,
  RecordError,
} from "@tfxio/wire";
import { arrayKernels, ArrayStatus } from "@tfxio/wire/kernels";
import { Binary, type Data, Field, Int64, List, makeData, type RecordBatch } from "apache-arrow";
import type { RawColumns } from "./raw-columns.js";

/** Maximum number of bytes in a batch's records, because the offsets are int32. */
const MAX_VALUE_BYTES: number = 2 ** 31 - 1;
/** Bytes counted for a row in addition to its record: the int32 offsets of its list and of the value in the list. */
const ROW_BYTES = 8;
/** Maximum unused fraction of a batch's buffer. If more is unused, the bytes are copied to a buffer of the exact size. */
const MAX_UNUSED_SHARE = 0.25;
/** Minimum initial size of a batch's buffer, as a multiple of the number of bytes in the previous batch. */
const EXPECTED_GROWTH = 1.125;

/** Creates a session that copies records into the memory of a batch. Batches own their memory. */
export function createRawSession(columns: RawColumns): PayloadSession {
  const contents = columns.columns.map(({ content }) => content);
  const keepsRecords = contents.includes("record");
  const keepsIndices = contents.includes("record-index");
  let numRows = 0;
  let numBytes = 0;
  let expectedBytes = 0;
  let values = new Uint8Array(0);
  let offsets = new Int32Array(1);
  let indices = new BigInt64Array(0);

  const isFull = ({ maxRows, maxBytes }: BatchLimits): boolean =>
    numRows >= maxRows || (numRows > 0 && numBytes + numRows * ROW_BYTES >= maxBytes);

  /**
   * Adds rows for the records from index `from` until the block ends or the batch is full. Returns the index after the last
   * record that was added.
   */
  const takeBounds = (block: RecordBlock, from: number, limits: BatchLimits): number => {
    const { starts, ends, numRecords } = block;
    let at = from;
    for (; at < numRecords && !isFull(limits); at++) {
      const length = keepsRecords ? ends[at]! - starts[at]! : 0;
      if (numBytes + length > MAX_VALUE_BYTES) {
        if (numRows > 0) break;
        throw tooLarge(block, at, length);
      }
      if (numRows + 1 === offsets.length) offsets = grown(offsets, new Int32Array(2 * offsets.length));
      if (keepsIndices && numRows === indices.length) {
        indices = grown(indices, new BigInt64Array(2 * numRows + 1024));
      }
      if (keepsIndices) indices[numRows] = BigInt(block.recordIndices?.[at] ?? block.firstRecordIndex + at);
      numBytes += length;
      offsets[++numRows] = numBytes;
    }
    return at;
  };

  return {
    get numRows() {
      return numRows;
    },
    numSkipped: 0,
    push(block, from, limits): PushProgress {
      const firstByte = numBytes;
      const end = takeBounds(block, from, limits);
      if (keepsRecords) {
        if (numBytes > values.length) {
          const room = Math.max(numBytes, 2 * values.length, expectedBytes);
          values = grown(values, new Uint8Array(Math.min(MAX_VALUE_BYTES, room)));
        }
        copyRecords(block, from, end, values.subarray(firstByte, numBytes));
      }
      const taken = end - from;
      return { consumed: taken, numRecords: taken, isFull: isFull(limits) || end < block.numRecords };
    },
    finish(): RecordBatch {
      const record = (): Data => binaryData(fitting(values, numBytes), offsets.slice(0, numRows + 1));
      const index = (): Data =>
        makeData({ type: new Int64(), length: numRows, nullCount: 0, data: indices.slice(0, numRows) });
      // Columns with the same content share their memory.
      const shared = {
        record: keepsRecords ? record() : undefined,
        "record-index": keepsIndices ? index() : undefined,
      };
      const lists = contents.map((content) => listOfOne(shared[content] as Data));
      const batch = columns.toBatch(lists, numRows);
      values = new Uint8Array(0);
      expectedBytes = Math.ceil(numBytes * EXPECTED_GROWTH);
      numRows = numBytes = 0;
      return batch;
    },
  };
}

function binaryData(data: Uint8Array, valueOffsets: Int32Array): Data {
  return makeData({ type: new Binary(), length: valueOffsets.length - 1, nullCount: 0, valueOffsets, data });
}

/** Returns a list column in which each row is a list of one value of `child`. Borrows `child`. */
function listOfOne(child: Data): Data {
  const { length } = child;
  const valueOffsets = Int32Array.from({ length: length + 1 }, (_, row) => row);
  const type = new List(new Field("item", child.type, true));
  return makeData({ type, length, nullCount: 0, valueOffsets, child });
}

/** Returns the first `length` bytes: as a view, or as a copy if more than {@link MAX_UNUSED_SHARE} of the buffer is unused. */
function fitting(bytes: Uint8Array, length: number): Uint8Array {
  const isLoose = bytes.length - length > MAX_UNUSED_SHARE * bytes.length;
  return isLoose ? bytes.slice(0, length) : bytes.subarray(0, length);
}

/**
 * Copies the records from index `from` to `end` (exclusive) into `target`. After that, the bytes are copied again only if
 * their buffer is resized.
 */
function copyRecords(
  { uri, bytes, starts, ends }: RecordBlock,
  from: number,
  end: number,
  target: Uint8Array,
): void {
  const status = arrayKernels().gatherRanges(
    bytes,
    1,
    starts.subarray(from, end),
    ends.subarray(from, end),
    target,
  );
  if (status === ArrayStatus.ok) return;
  throw new ArgumentError("invalid-argument", `The container of ${uri} yields records outside their block.`, {
    reason: "format-output",
    argument: "container",
  });
}

function grown<Numbers extends Uint8Array | Int32Array | BigInt64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from as never);
  return to;
}

function tooLarge(
  { uri, firstRecordIndex, byteOffset, starts, headerBytes = 0 }: RecordBlock,
  at: number,
  length: number,
): RecordError {
  const header = typeof headerBytes === "number" ? headerBytes : headerBytes[at]!;
  const recordIndex = firstRecordIndex + at;
  return new RecordError(
    "limit-exceeded",
    `Record ${recordIndex} of ${uri} has ${length} bytes, but a column of a batch holds at most ${MAX_VALUE_BYTES}.`,
    { reason: "batch-too-large", uri, recordIndex, byteOffset: byteOffset + starts[at]! - header },
  );
}
