import { arrayKernels } from "@tfxio/wire/kernels";
import { allocated } from "../host/allocated.js";
import { assertLaidOut } from "../host/assert-laid-out.js";
import { longestList } from "../tensors/ragged-layout.js";

/**
 * Returns the index `[row, position]` of every value, and the length of the longest row. `indices` is flat and row-major, of
 * shape `[numValues, 2]`. Row splits must begin with 0.
 */
export function rowPositions(rowSplits: Int32Array): { indices: Int32Array; longest: number } {
  const indices = allocated(Int32Array, 2 * (rowSplits.at(-1) as number));
  assertLaidOut(arrayKernels().cooIndices(rowSplits, indices));
  return { indices, longest: longestList(rowSplits) };
}
