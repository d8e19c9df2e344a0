export { type ArrayKernels, ArrayStatus, type ValueArray } from "./arrays/array-kernels.js";
export { arrayKernels } from "./arrays/select-array-kernels.js";
export { typescriptArrayKernels } from "./arrays/typescript-array-kernels.js";
export {
  type ColumnBuffers,
  type ColumnsPlan,
  type ExampleBatch,
  type ExampleColumnPlan,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  type FeatureListBuffers,
  type Kernels,
  KernelStatus,
  type Leased,
  type PushResult,
  type ScanResult,
  type SequenceExampleBatch,
  type SequenceExampleKernel,
  type SequenceExamplePlan,
} from "./kernels.js";
export { FrameBounds } from "./frame-bounds.js";
export { type Choice, chooseImplementation } from "./choose-implementation.js";
export { freeBuffer } from "./wasm/free-buffer.js";
export { reuseBuffer } from "./wasm/reuse-buffer.js";
export { unclearedBuffer } from "./wasm/uncleared-buffer.js";
export { compileWasm, instantiate, type WasmMemory, type WasmModule } from "./wasm/web-assembly.js";
export { maskCrc32c } from "./crc32c.js";
export { type KernelInfo, kernelInfo, kernels, sharedKernels, useKernels } from "./select-kernels.js";
export { typescriptKernels } from "./typescript/typescript-kernels.js";
