import { assertArgument } from "@tfxio/wire/checks";
import { ArrayStatus, arrayKernels } from "@tfxio/wire/kernels";
import type { Data } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { columnElements, listElements } from "../column/column-access.js";
import { iota } from "./flatten-nested.js";
import { isListType } from "../column/list-column.js";

/** Coordinates of the values in nested lists, in the coordinate format (COO) of sparse tensors. */
export interface ListCoordinates {
  /** int32, row-major `[numValues, rank]`. For each value: its row, its position in the outermost list, and so on. */
  readonly indices: Int32Array;
  /** Number of rows, then the length of the longest list at each level. */
  readonly denseShape: readonly number[];
}

/**
 * Returns the coordinates of a column's innermost values, in order, for lists nested to any depth. Null and empty lists have
 * none. Rank is 1 plus the number of list levels. Null elements of the innermost lists do have coordinates.
 * @see tfx_bsl.arrow.array_util.CooFromListArray
 */
export function listCoordinates(data: Data): ListCoordinates {
  assertArgument("data", data, aColumn);
  let rank = 1;
  let indices = iota(data.length);
  const denseShape = [data.length];
  let elements = columnElements(data);
  while (isListType(elements.data.type)) {
    const list = listElements(elements);
    const { next, longest } = appendPositions(indices, rank, list.rowSplits);
    indices = next;
    denseShape.push(longest);
    elements = list.elements;
    rank++;
  }
  return { indices, denseShape };
}

/**
 * Repeats each list's coordinates for each of its values, and appends the value's position in the list.
 * @param rank Number of coordinates of each list.
 */
function appendPositions(
  indices: Int32Array,
  rank: number,
  rowSplits: Int32Array,
): { next: Int32Array; longest: number } {
  const numLists = rowSplits.length - 1;
  const next = new Int32Array((rowSplits[numLists] as number) * (rank + 1));
  let longest = 0;
  for (let list = 0; list < numLists; list++) {
    longest = Math.max(longest, (rowSplits[list + 1] as number) - (rowSplits[list] as number));
  }
  // At rank 1, the new coordinates are pairs of row and position, which the kernel can write. Other ranks use the loop below.
  if (rank === 1 && arrayKernels().cooIndices(rowSplits, next) === ArrayStatus.ok) return { next, longest };
  let at = 0;
  for (let list = 0; list < numLists; list++) {
    const length = (rowSplits[list + 1] as number) - (rowSplits[list] as number);
    for (let position = 0; position < length; position++) {
      for (let axis = 0; axis < rank; axis++) next[at++] = indices[list * rank + axis] as number;
      next[at++] = position;
    }
  }
  return { next, longest };
}
