import type { ArrayKernels } from "./array-kernels.js";
import { cooIndices } from "./coo-indices.js";
import { encodeVarints } from "./encode-varints.js";
import { fillNulls } from "./fill-nulls.js";
import { gatherRanges } from "./gather-ranges.js";
import { padRows } from "./pad-rows.js";

/** The kernels over arrays in plain TypeScript: run everywhere, and are what the wasm twin is compared with. */
export const typescriptArrayKernels: ArrayKernels = {
  name: "typescript",
  cooIndices,
  padRows,
  gatherRanges,
  fillNulls,
  encodeVarints,
};
