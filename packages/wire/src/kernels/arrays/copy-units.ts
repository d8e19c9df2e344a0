import type { ValueArray } from "./array-kernels.js";

/** Up to here a loop beats a call of `set` with a fresh view. */
const SHORT_COPY = 24;

/**
 * The same memory as 32-bit words, or as bytes where values are shorter or lie unaligned: loops that see every kind of
 * typed array are several times slower.
 */
export function unitsOf(array: ValueArray, stride = 1): Int32Array | Uint8Array {
  const { buffer, byteOffset, byteLength } = array;
  return (array.BYTES_PER_ELEMENT * stride) % 4 === 0 && byteOffset % 4 === 0
    ? new Int32Array(buffer, byteOffset, wordsIn(byteLength))
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/** Number of whole 32-bit words. By division: shifts take bytes from 2 GiB on for a negative number, or for fewer. */
export function wordsIn(byteLength: number): number {
  return Math.floor(byteLength / 4);
}

/** Copies `source[start..end)` to `target`, from `at` on. Both of one type. */
export function copyUnits(
  source: Int32Array | Uint8Array,
  start: number,
  end: number,
  target: Int32Array | Uint8Array,
  at: number,
): void {
  if (end - start > SHORT_COPY) target.set(source.subarray(start, end), at);
  else for (let from = start, to = at; from < end; from++, to++) target[to] = source[from]!;
}
