import { ArrayStatus, arrayKernels } from "@tfxio/wire/kernels";
import { sizeOf } from "../rows/row-of-value.js";
import { NO_POSITION } from "./tensor-ops.js";

/**
 * Returns the COO indices of all elements of nested lists, row-major `[numElements, rank]`. The second parameter is the shape
 * of the flat values, `[numValues, …inner]`.
 */
export function cooIndices(
  rowSplits: readonly Int32Array[],
  [numValues = 0, ...inner]: readonly number[],
): Int32Array {
  const innerSize = sizeOf(inner);
  const rank = 1 + rowSplits.length + inner.length;
  const indices = new Int32Array(numValues * innerSize * rank);
  const [outer] = rowSplits;
  // The kernel handles only one ragged dimension of scalars.
  const isFlat = rank === 2 && outer !== undefined;
  if (isFlat && arrayKernels().cooIndices(outer, indices) === ArrayStatus.ok) return indices;
  const setAll = (value: number, dimension: number, index: number): void => {
    for (let at = value * innerSize; at < (value + 1) * innerSize; at++)
      indices[at * rank + dimension] = index;
  };
  // Works from the inside out, mapping each value to its element at the current level.
  const elements = new Int32Array(numValues).map((_, value) => value);
  for (let level = rowSplits.length - 1; level >= 0; level--) {
    const splits = rowSplits[level] as Int32Array;
    const lists = listsOfElements(splits);
    for (let value = 0; value < numValues; value++) {
      const element = elements[value] as number;
      const list = lists[element] as number;
      setAll(value, 1 + level, element - (splits[list] as number));
      elements[value] = list;
    }
  }
  elements.forEach((row, value) => setAll(value, 0, row));
  let below = 1;
  for (let dimension = inner.length - 1; dimension >= 0; dimension--) {
    const size = inner[dimension] as number;
    for (let at = 0; at < numValues * innerSize; at++) {
      indices[at * rank + 1 + rowSplits.length + dimension] = Math.floor(at / below) % size;
    }
    below *= size;
  }
  return indices;
}

/** Returns, for each element, the index of its list. */
function listsOfElements(splits: Int32Array): Int32Array {
  const lists = new Int32Array(splits.at(-1) ?? 0);
  for (let list = 0; list + 1 < splits.length; list++) lists.fill(list, splits[list], splits[list + 1]);
  return lists;
}

/**
 * Returns, for each element of a dense form with `sizes` (rows, then each ragged dimension), the index of its value, or {@link
 * NO_POSITION}. Drops values outside `sizes`.
 */
export function densePositions(rowSplits: readonly Int32Array[], sizes: readonly number[]): Int32Array {
  const positions = new Int32Array(sizeOf(sizes)).fill(NO_POSITION);
  const place = (level: number, from: number, to: number, base: number): void => {
    const count = Math.min(to - from, sizes[level] as number);
    const splits = rowSplits[level];
    for (let nth = 0; nth < count; nth++) {
      const at = base + nth;
      if (splits === undefined) positions[at] = from + nth;
      else {
        const [start, end] = [splits[from + nth] as number, splits[from + nth + 1] as number];
        place(level + 1, start, end, at * (sizes[level + 1] as number));
      }
    }
  };
  place(0, 0, (rowSplits[0]?.length ?? 1) - 1, 0);
  return positions;
}

/** Returns the length of the longest list, or 0 if there are no lists. */
export function longestList(splits: Int32Array): number {
  let longest = 0;
  for (let list = 0; list + 1 < splits.length; list++) {
    longest = Math.max(longest, (splits[list + 1] as number) - (splits[list] as number));
  }
  return longest;
}

/** Concatenates row splits. The splits of each part continue from the end of the part before it. */
export function joinedRowSplits(parts: readonly Int32Array[]): Int32Array {
  const joined = new Int32Array(parts.reduce((total, { length }) => total + length - 1, 1));
  let at = 0;
  for (const splits of parts) {
    const base = joined[at] as number;
    for (let list = 1; list < splits.length; list++) joined[at + list] = base + (splits[list] as number);
    at += splits.length - 1;
  }
  return joined;
}

/** Returns the row splits of rows `start` to `end` (exclusive). The values of these rows begin at `from` and end before `to`. */
export function slicedRowSplits(
  rowSplits: readonly Int32Array[],
  start: number,
  end: number,
): { readonly rowSplits: readonly Int32Array[]; readonly from: number; readonly to: number } {
  let [from, to] = [start, end];
  const sliced = rowSplits.map((splits) => {
    const part = splits.subarray(from, to + 1);
    const [first = 0] = part;
    from = first;
    to = part.at(-1) ?? first;
    return part.map((split) => split - first);
  });
  return { rowSplits: sliced, from, to };
}
