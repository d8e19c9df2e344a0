import {
  ArgumentError,
  type ByteSource,
  type Compression,
  decompressed,
  RecordError,
  type RecordBlock,
  type TfxioError,
} from "@tfxio/wire";
import type { ContainerContext } from "../records/record-format-parts.js";
import { PendingBytes } from "./pending-bytes.js";

/** Records found in a piece of a source, in order. */
export interface FoundRecords extends Pick<RecordBlock, "numRecords" | "starts" | "ends" | "headerBytes"> {
  /** Number of bytes from the start of the piece to the end of the last record's frame. */
  readonly consumed: number;
  /** The reason why no record can follow. It is thrown after the found records are delivered. */
  readonly error?: TfxioError | undefined;
}

/** The place of a piece within its source. */
export interface PiecePlace {
  /** True if it is known that no byte follows the piece. */
  readonly isLast: boolean;
  /** Offset of the piece's first byte, in uncompressed bytes. */
  readonly byteOffset: number;
  /** Index of the record at the start of the piece. */
  readonly recordIndex: number;
  /** Number of leading bytes in which the previous call found no complete record. */
  readonly numSearched: number;
  /** Expected number of records in the piece, estimated from the mean length of earlier records. 0 until a record is found. */
  readonly expectedRecords: number;
}

/**
 * Finds the complete records at the start of `bytes`. If bytes are left in the last piece, the caller throws `truncated-record`.
 */
export type FindRecords = (bytes: Uint8Array, place: PiecePlace) => FoundRecords;

/** Maximum number of framing bytes around a record: a varint, a byte order mark and a line end. */
const MAX_FRAMING_BYTES = 16;
/**
 * Number of leading bytes of a chunk that are copied to complete a record of the previous chunk. Most records end within them.
 */
const JOINED_BYTES: number = 16 * 2 ** 10;

/** Options of {@link recordBlocks}. */
export interface RecordBlocksOptions {
  readonly compression: Compression | "auto";
  /** Number of uncompressed bytes before the first record. Default 0. */
  readonly headerBytes?: number | undefined;
  /** Word for a record in error messages, such as `"line"`. */
  readonly recordName: string;
}

/**
 * Yields blocks of the records that `find` locates in the uncompressed bytes of a source, for containers without a kernel.
 * Records that span chunks are joined. At most about `maxRecordBytes` bytes plus one chunk are pending. If `from` has a byte
 * offset, the read starts there. Otherwise, the read counts records up to `from.row`. If there is a `part`, bytes outside it are
 * ignored. A block is valid until the next one is requested.
 * @throws {RecordError} `truncated-record` (`record-end`) if the source ends within its header or within a record.
 *   `limit-exceeded` (`record-length`) for a record longer than `maxRecordBytes`.
 * @throws {ArgumentError} `invalid-argument` (`behind-end`) if `from` has no byte offset, and its `row` is above the number of
 *   records in the source or part.
 */
export async function* recordBlocks(
  source: ByteSource,
  { from, part, limits, signal }: Pick<ContainerContext<object>, "from" | "part" | "limits" | "signal">,
  { compression, headerBytes = 0, recordName }: RecordBlocksOptions,
  find: FindRecords,
): AsyncGenerator<RecordBlock, void, undefined> {
  const { uri } = source;
  const { row = 0, detail } = from ?? {};
  const isSought = typeof detail === "number";
  const start = isSought ? detail : (part?.start ?? 0);
  let numHeaderBytes = start > 0 ? 0 : headerBytes;
  let recordIndex = (part?.firstRecordIndex ?? 0) + (isSought ? row : 0);
  let numToPass = isSought ? 0 : row;
  let byteOffset = start + numHeaderBytes;
  let numBytesLeft = (part?.end ?? Number.POSITIVE_INFINITY) - start;
  const pending = new PendingBytes();
  const origin = { byteOffset, recordIndex };

  const tooLong = (index: number, offset: number): RecordError =>
    new RecordError(
      "limit-exceeded",
      `${uri}: ${recordName} ${index} at byte ${offset} must not be longer than maxRecordBytes (${limits.maxRecordBytes} bytes).`,
      { reason: "record-length", uri, recordIndex: index, byteOffset: offset },
    );

  const truncated = (found: string, offset: number): RecordError =>
    new RecordError("truncated-record", `${found}.`, {
      reason: "record-end",
      uri,
      recordIndex,
      byteOffset: offset,
    });

  /** Finds the records in the pending bytes, up to the first record that is too long. */
  const findAll = ({ isLast }: Pick<PiecePlace, "isLast">): FoundRecords => {
    const { bytes, numSearched } = pending;
    const meanBytes = (byteOffset - origin.byteOffset) / (recordIndex - origin.recordIndex);
    const expectedRecords = meanBytes > 0 ? Math.ceil(bytes.length / meanBytes) : 0;
    const found = find(bytes, { isLast, byteOffset, recordIndex, numSearched, expectedRecords });
    if (bytes.length <= limits.maxRecordBytes) return found;
    const { starts, ends, headerBytes: headers = 0 } = found;
    for (let index = 0; index < found.numRecords; index++) {
      if (ends[index]! - starts[index]! <= limits.maxRecordBytes) continue;
      const consumed = starts[index]! - (typeof headers === "number" ? headers : headers[index]!);
      const error = tooLong(recordIndex + index, byteOffset + consumed);
      return { ...found, numRecords: index, consumed, error };
    }
    return found;
  };

  /** Yields the records in the pending bytes, then throws the error of the bytes after them, if any. */
  function* takeRecords(piece: Pick<PiecePlace, "isLast">): Generator<RecordBlock, void, undefined> {
    const { bytes } = pending;
    const { numRecords, starts, ends, headerBytes: headers, consumed, error } = findAll(piece);
    const passed = Math.min(numToPass, numRecords);
    if (numRecords > passed) {
      yield {
        uri,
        bytes,
        numRecords: numRecords - passed,
        starts: starts.subarray(passed, numRecords),
        ends: ends.subarray(passed, numRecords),
        firstRecordIndex: recordIndex + passed,
        byteOffset,
        headerBytes: typeof headers === "object" ? headers.subarray(passed) : headers,
        endOffset: byteOffset + consumed,
      };
    }
    numToPass -= passed;
    recordIndex += numRecords;
    byteOffset += consumed;
    pending.take(consumed);
    if (error !== undefined) throw error;
    if (pending.bytes.length > limits.maxRecordBytes + MAX_FRAMING_BYTES) {
      throw tooLong(recordIndex, byteOffset);
    }
  }

  for await (const piece of decompressed(source, { compression, start, signal })) {
    const chunk = piece.subarray(0, Math.min(piece.length, numBytesLeft));
    numBytesLeft -= chunk.length;
    const passed = Math.min(numHeaderBytes, chunk.length);
    numHeaderBytes -= passed;
    if (passed < chunk.length) {
      const rest = chunk.subarray(passed);
      const isJoined = pending.bytes.length > 0 && rest.length > JOINED_BYTES;
      pending.append(isJoined ? rest.subarray(0, JOINED_BYTES) : rest);
      yield* takeRecords({ isLast: false });
      if (isJoined) {
        pending.continueIn(rest, JOINED_BYTES);
        yield* takeRecords({ isLast: false });
      }
    }
    if (numBytesLeft === 0) break;
  }
  if (numHeaderBytes > 0) throw truncated(`${uri} ends within its header`, headerBytes - numHeaderBytes);
  if (pending.bytes.length > 0) yield* takeRecords({ isLast: true });
  if (pending.bytes.length > 0) {
    const found = `${uri} ends within ${recordName} ${recordIndex}, which begins at byte ${byteOffset}`;
    throw truncated(found, byteOffset);
  }
  if (numToPass > 0) {
    throw new ArgumentError(
      "invalid-argument",
      `${uri} has ${row - numToPass} records${part === undefined ? "" : " in this split"}, so reading cannot start at record ${row}.`,
      { argument: "from", reason: "behind-end" },
    );
  }
}
