import type { BlockStream, Pass } from "../plan.js";
import type { Permutation } from "./permutation.js";

/** Rows of a source that can be read in any order. */
export interface RowAccess {
  /** At most 2^32. */
  readonly numRows: number;
  /** A stream of the rows at `order(first)`, `order(first + 1)` and so on up to the last row. Effects wait for its first read. */
  open(this: void, order: Permutation, first: number, pass: Pass): BlockStream;
}

/** The positions of the next rows of an order, `chunkRows` at a time. */
export function* positionsOf(
  { numRows }: Pick<RowAccess, "numRows">,
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
