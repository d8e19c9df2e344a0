import { crc32c } from "../crc32c.js";
import { createExampleKernel, createSequenceExampleKernel } from "./example-kernel.js";
import type { Kernels } from "../kernels.js";
import { scanTfRecords } from "../tfrecord-frame.js";

/** The kernels in plain TypeScript. They run everywhere, and tests compare the wasm implementation with them. */
export const typescriptKernels: Kernels = {
  name: "typescript",
  crc32c,
  scanTfRecords,
  exampleDecoder: (plan) => createExampleKernel(plan),
  sequenceExampleDecoder: (plan) => createSequenceExampleKernel(plan),
};
