import { type ArrayContext, contradiction, elementsOf } from "./typed-arrays.js";
import type { OffsetBytes } from "../metadata/stored-column.js";

/** Offsets of a variable-length array. There is one more offset than there are elements. */
export type Offsets = Int32Array | BigInt64Array;

/**
 * Returns the offsets of an array, checked to be non-decreasing and between 0 and `end`. An array without elements may have an
 * empty buffer.
 * @throws {RecordError} `corrupt-record` (`array`).
 */
export function offsetsOf(
  bytes: Uint8Array,
  length: number,
  {
    offsetBytes,
    end,
    ...context
  }: ArrayContext & { readonly offsetBytes: OffsetBytes; readonly end: number },
): Offsets {
  if (length === 0 && bytes.length === 0) return offsetBytes === 4 ? new Int32Array(1) : new BigInt64Array(1);
  const offsets =
    offsetBytes === 4
      ? elementsOf(Int32Array, bytes, length + 1, context)
      : elementsOf(BigInt64Array, bytes, length + 1, context);
  const isSound = offsets instanceof Int32Array ? increases(offsets, end) : increasesWide(offsets, end);
  if (!isSound)
    throw contradiction(`has offsets that decrease, or that exceed the end of its values, ${end}`, context);
  return offsets;
}

function increases(offsets: Int32Array, end: number): boolean {
  let last = 0;
  for (const offset of offsets) {
    if (offset < last) return false;
    last = offset;
  }
  return last <= end;
}

/** Like {@link increases}, for 64-bit offsets. Reads them in 32-bit halves, because bigints take ten times as long. */
function increasesWide(offsets: BigInt64Array, end: number): boolean {
  const halves = new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.length * 2);
  let last = 0;
  for (let at = 0; at < halves.length; at += 2) {
    const offset = (halves[at + 1] as number) * 2 ** 32 + (halves[at] as number);
    if (offset < last) return false;
    last = offset;
  }
  return last <= end;
}
