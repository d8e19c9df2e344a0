import { arrayKernels } from "@tfxio/wire/kernels";
import { assertLaidOut } from "./assert-laid-out.js";

/** `[row, position]` of every value, flat, and the length of the longest row. Row splits begin with 0. */
export function rowPositions(rowSplits: Int32Array): { indices: Int32Array; longest: number } {
  const indices = new Int32Array(2 * (rowSplits.at(-1) as number));
  assertLaidOut(arrayKernels().cooIndices(rowSplits, indices));
  let longest = 0;
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const length = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
    if (length > longest) longest = length;
  }
  return { indices, longest };
}
