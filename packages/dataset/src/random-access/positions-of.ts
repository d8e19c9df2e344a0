import type { Permutation } from "./permutation.js";

/** Yields the positions `order(i)`, for i from `first` to `numRows - 1`, in arrays of up to `chunkRows`. */
export function* positionsOf(
  numRows: number,
  order: Permutation,
  first: number,
  chunkRows: number,
): Generator<Uint32Array, void, undefined> {
  for (let start = first; start < numRows; start += chunkRows) {
    const positions = new Uint32Array(Math.min(chunkRows, numRows - start));
    for (let k = 0; k < positions.length; k++) positions[k] = order(start + k);
    yield positions;
  }
}
