import type { Limits } from "@tfxio/format";
import { type ByteSource, tailOf } from "@tfxio/wire";
import { type FlatPlace, FlatTable } from "../flatbuffer/flat-table.js";
import { assertWithin, damaged, truncated } from "../metadata/damage.js";
import { textOf } from "./container.js";

/**
 * Number of bytes that the first request reads from the end of a file. For most files, these bytes include the entire footer, so
 * that one request is enough.
 */
const TAIL_BYTES = 2 ** 16;
/** Number of bytes that store the length of the footer. They lie between the footer and the magic. */
const LENGTH_BYTES = 4;

/** The magic of a container, and names for errors. */
export interface FooterKind {
  /** Name of the flatbuffer in errors, such as `the footer`. */
  readonly what: string;
  /** Name of the container in errors, such as `an Arrow file`. */
  readonly container: string;
  readonly magic: string;
}

/** The flatbuffer at the end of a file. */
export interface Footer {
  readonly table: FlatTable;
  readonly numBytes: number;
  readonly place: FlatPlace;
}

/**
 * Reads the flatbuffer of the footer. Its length and a magic string follow it, and end the file.
 * @throws {RecordError} `truncated-record` (`footer`) without the magic; `corrupt-record` (`footer`) for a footer that is empty
 * or longer than the file; `limit-exceeded` (`metadata-length`).
 */
export async function readFooter(
  source: ByteSource,
  { what, container, magic }: FooterKind,
  { maxMetadataBytes }: Limits,
  signal: AbortSignal | undefined,
): Promise<Footer> {
  const { uri, byteLength } = source;
  const endBytes = LENGTH_BYTES + magic.length;
  const end: FlatPlace = { uri, byteOffset: Math.max(0, (byteLength ?? endBytes) - endBytes) };
  let tail = await tailOf(source, TAIL_BYTES, { signal });
  if (tail.length < endBytes || textOf(tail.subarray(-magic.length)) !== magic) {
    throw truncated(end, `it does not end with ${magic}, as ${container} does`, "footer");
  }
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const numBytes = view.getInt32(tail.length - endBytes, true);
  // A tail shorter than requested is the whole file.
  const fileBytes = byteLength ?? (tail.length < TAIL_BYTES ? tail.length : Infinity);
  if (numBytes <= 0) {
    throw damaged(end, `${what} must declare a positive length, found ${numBytes} bytes`, "footer");
  }
  const assertFits = (available: number): void => {
    if (numBytes + endBytes <= available) return;
    const declared = `a length of ${numBytes} bytes, and ${endBytes} more must follow`;
    throw damaged(end, `${what} declares ${declared}, but the file has only ${available}`, "footer");
  };
  assertFits(fileBytes);
  assertWithin(numBytes, maxMetadataBytes, { place: end, what, reason: "metadata-length" });
  if (numBytes + endBytes > tail.length) tail = await tailOf(source, numBytes + endBytes, { signal });
  assertFits(tail.length);
  const place: FlatPlace = { uri, byteOffset: Math.max(0, end.byteOffset - numBytes) };
  const start = tail.length - endBytes - numBytes;
  return { table: FlatTable.root(tail.subarray(start, start + numBytes), place), numBytes, place };
}
