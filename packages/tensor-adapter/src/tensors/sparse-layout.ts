import { sizeOf } from "../rows/row-of-value.js";
import { NO_POSITION } from "./tensor-ops.js";

// In this file, indices are row-major, `[nnz, rank]`, and lie inside the dense shape. A dimension is called open if its size
// is unknown (-1).

/** Returns the dense shape, with open dimensions as large as the indices need. */
export function boundingShape(indices: Int32Array, denseShape: readonly number[]): number[] {
  const rank = denseShape.length;
  return denseShape.map((size, dimension) => {
    if (size !== -1) return size;
    let largest = -1;
    for (let at = dimension; at < indices.length; at += rank)
      largest = Math.max(largest, indices[at] as number);
    return largest + 1;
  });
}

/**
 * Returns, for each element of a dense tensor of `shape`, the position of its value, or {@link NO_POSITION}. `shape` may be
 * smaller than the dense shape: values outside it are dropped. If several values share an index, the last one wins.
 */
export function sparsePositions(indices: Int32Array, shape: readonly number[]): Int32Array {
  const rank = shape.length;
  const positions = new Int32Array(sizeOf(shape)).fill(NO_POSITION);
  for (let value = 0; value < indices.length / rank; value++) {
    let place = 0;
    let isCutOff = false;
    for (let dimension = 0; dimension < rank; dimension++) {
      const size = shape[dimension] as number;
      const index = indices[value * rank + dimension] as number;
      place = place * size + index;
      isCutOff ||= index >= size;
    }
    if (!isCutOff) positions[place] = value;
  }
  return positions;
}

/** Returns the positions of the values in rows `start` to `end` (exclusive), and their indices with rows counted from `start`. */
export function valuesOfRows(
  indices: Int32Array,
  rank: number,
  start: number,
  end: number,
): { readonly positions: Int32Array; readonly indices: Int32Array } {
  const isInside = (row: number): boolean => row >= start && row < end;
  let count = 0;
  for (let at = 0; at < indices.length; at += rank) if (isInside(indices[at] as number)) count++;
  const positions = new Int32Array(count);
  const moved = new Int32Array(count * rank);
  let kept = 0;
  for (let at = 0; at < indices.length; at += rank) {
    const row = indices[at] as number;
    if (!isInside(row)) continue;
    positions[kept] = at / rank;
    moved.set(indices.subarray(at, at + rank), kept * rank);
    moved[kept * rank] = row - start;
    kept++;
  }
  return { positions, indices: moved };
}

/** Returns the indices of all parts, with rows renumbered consecutively. */
export function joinedIndices(
  parts: readonly { readonly hostIndices: Int32Array; readonly denseShape: readonly number[] }[],
  rank: number,
): Int32Array {
  const indices = new Int32Array(parts.reduce((total, { hostIndices }) => total + hostIndices.length, 0));
  let at = 0;
  let numRows = 0;
  for (const { hostIndices, denseShape } of parts) {
    indices.set(hostIndices, at);
    for (const end = at + hostIndices.length; at < end; at += rank)
      indices[at] = (indices[at] as number) + numRows;
    numRows += denseShape[0] as number;
  }
  return indices;
}
