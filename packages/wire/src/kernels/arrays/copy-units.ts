import type { ValueArray } from "./array-kernels.js";

/** Up to this length a loop is faster than `set` with a new view. */
const SHORT_COPY = 24;

/**
 * The same memory as 32-bit words, or as bytes if values are shorter or unaligned. Loops that see every kind of typed array are
 * several times slower.
 */
export function unitsOf(array: ValueArray, stride = 1): Int32Array | Uint8Array {
  const { buffer, byteOffset, byteLength } = array;
  return (array.BYTES_PER_ELEMENT * stride) % 4 === 0 && byteOffset % 4 === 0
    ? new Int32Array(buffer, byteOffset, wordsIn(byteLength))
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Number of whole 32-bit words. Uses division, because shifts turn byte lengths from 2 GiB on into negative or truncated numbers.
 */
export function wordsIn(byteLength: number): number {
  return Math.floor(byteLength / 4);
}

/** Copies `source[start..end)` to `target`, starting at `at`. Both have the same type. */
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
