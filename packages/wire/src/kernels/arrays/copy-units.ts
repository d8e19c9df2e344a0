import type { ValueArray } from "./array-kernels.js";

/** Up to this many words or bytes, a copying loop is faster than `set` with a new view. */
const SHORT_COPY = 24;

/**
 * Returns a view of the array's memory: as 32-bit words if values consist of whole, aligned words, otherwise as bytes. A loop
 * that handles only these two classes is several times faster than one that handles every typed array class.
 * @param stride Number of array elements per value.
 */
export function unitsOf(array: ValueArray, stride = 1): Int32Array | Uint8Array {
  const { buffer, byteOffset, byteLength } = array;
  return (array.BYTES_PER_ELEMENT * stride) % 4 === 0 && byteOffset % 4 === 0
    ? new Int32Array(buffer, byteOffset, wordsIn(byteLength))
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Returns the number of whole 32-bit words in `byteLength` bytes. Divides, because `>> 2` gives wrong results for byte lengths of
 * 2 GiB and more.
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
