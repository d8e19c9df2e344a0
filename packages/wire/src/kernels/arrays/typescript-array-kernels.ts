import type { ArrayKernels } from "./array-kernels.js";
import { cooIndices } from "./coo-indices.js";
import { encodeVarints } from "./encode-varints.js";
import { fillNulls } from "./fill-nulls.js";
import { gatherRanges } from "./gather-ranges.js";
import { padRows } from "./pad-rows.js";

/** The array kernels in plain TypeScript. They run everywhere, and tests compare the wasm implementation with them. */
export const typescriptArrayKernels: ArrayKernels = {
  name: "typescript",
  cooIndices,
  padRows,
  gatherRanges,
  fillNulls,
  encodeVarints,
};
