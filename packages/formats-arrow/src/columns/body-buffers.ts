import { RecordError } from "@tfxio/wire/errors";
import type { ReadLimits } from "../compression/codecs.js";
import { decompressBuffer } from "../compression/body-codec.js";
import { bufferCount } from "./buffer-count.js";
import { assertWithin, damaged } from "../metadata/damage.js";
import type { BatchHeader, BufferRange } from "../metadata/message.js";
import type { StoredColumn } from "../metadata/stored-column.js";

/** The body of a message: the bytes after its header. */
export interface Body {
  readonly byteLength: number;
  /** Returns the bytes of these ranges of the body, in the given order. They may be views of memory that the source owns. */
  read(ranges: readonly BufferRange[]): Promise<readonly Uint8Array[]>;
}

/** Returns a body that is in memory. */
export function bodyOf(bytes: Uint8Array): Body {
  return {
    byteLength: bytes.length,
    read: async (ranges) => ranges.map(({ offset, length }) => bytes.subarray(offset, offset + length)),
  };
}

const nothing = new Uint8Array(0);

/**
 * Returns the uncompressed buffers of the requested columns, at their positions in the header. The other positions hold empty
 * buffers.
 * @throws {RecordError} `corrupt-record` (`array`) if the buffers do not match the columns or lie outside the body;
 *   `corrupt-record` (`lz4`, `zstd`) if a buffer cannot be decompressed; `limit-exceeded` (`page-length`).
 */
export async function loadBuffers(
  columns: readonly StoredColumn[],
  header: BatchHeader,
  body: Body,
  { maxPageBytes, codecs }: ReadLimits,
): Promise<readonly Uint8Array[]> {
  const { place, codec, buffers } = header;
  const positions = wantedBuffers(columns, header);
  const ranges = positions.map((position) => {
    const range = buffers[position] as BufferRange;
    const { offset, length } = range;
    if (offset >= 0 && length >= 0 && offset + length <= body.byteLength) return range;
    const found = `buffer ${position} has ${length} bytes at offset ${offset}`;
    throw damaged(place, `${found}, but the message body has ${body.byteLength} bytes`, "array");
  });
  const limit = { place, what: "the record batch", reason: "page-length" } as const;
  const storedBytes = totalLength(ranges);
  if (storedBytes > 0) assertWithin(storedBytes, maxPageBytes, limit);
  else if (header.numRows > maxPageBytes) {
    // Rows of Null columns have no bytes, so a file could declare any number of rows.
    throw new RecordError(
      "limit-exceeded",
      `At byte ${place.byteOffset} of ${place.uri}, the record batch has ${header.numRows} rows but no bytes in the columns ` +
        `to read. Each such row counts as one byte, and the limit maxPageBytes is ${maxPageBytes}.`,
      { ...place, reason: "page-length" },
    );
  }
  const stored = await body.read(ranges);
  const loaded = Array.from<unknown, Uint8Array>({ length: buffers.length }, () => nothing);
  if (codec === "none") {
    stored.forEach((bytes, at) => (loaded[positions[at] as number] = bytes));
    return loaded;
  }
  const { decode } = await codecs[codec]();
  let numBytes = 0;
  for (const [at, bytes] of stored.entries()) {
    const checkLength = (length: number): void => assertWithin((numBytes += length), maxPageBytes, limit);
    loaded[positions[at] as number] = await decompressBuffer(bytes, { decode, codec, place, checkLength });
  }
  return loaded;
}

function totalLength(ranges: readonly BufferRange[]): number {
  return ranges.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Returns the positions of the buffers that requested columns need.
 * @throws {RecordError} `corrupt-record` (`array`) if the numbers of arrays and buffers in the header do not match the columns.
 */
function wantedBuffers(columns: readonly StoredColumn[], header: BatchHeader): readonly number[] {
  const wanted: number[] = [];
  let [numBuffers, numNodes, numViews] = [0, 0, 0];
  const { variadicCounts, hasUnionValidity, buffers, place } = header;
  const visit = ({ layout, children, path }: StoredColumn, isRead: boolean): void => {
    numNodes++;
    const left = buffers.length - numBuffers;
    const variadicCount = (): number => {
      const found = variadicCounts[numViews++];
      if (found !== undefined && found >= 0) return found;
      throw damaged(
        place,
        `the number of data buffers of "${path}" is ${found ?? "missing"}, expected 0 or more`,
        "array",
      );
    };
    const count = bufferCount(layout, { hasUnionValidity, variadicCount });
    if (count > left)
      throw damaged(place, `"${path}" needs ${count} buffers, but only ${left} are left`, "array");
    for (let at = 0; at < count; at++, numBuffers++) if (isRead) wanted.push(numBuffers);
    for (const child of children) visit(child, isRead && child.isRead);
  };
  for (const column of columns) visit(column, column.isRead);
  if (numNodes !== header.nodes.length || numBuffers !== header.buffers.length) {
    throw damaged(
      header.place,
      `it has ${header.nodes.length} arrays and ${header.buffers.length} buffers, but its schema needs ${numNodes} arrays and ` +
        `${numBuffers} buffers`,
      "array",
    );
  }
  return wanted;
}
