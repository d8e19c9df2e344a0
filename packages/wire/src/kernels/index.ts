export {
  type ColumnBuffers,
  type ExampleBatch,
  type ExampleColumnPlan,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  type FramedOptions,
  type KernelLimits,
  type Kernels,
  KernelStatus,
  type PushResult,
  type ScanResult,
} from "./kernels.js";
export { maskCrc32c } from "./crc32c.js";
export { type KernelInfo, kernelInfo, kernels } from "./select-kernels.js";
export { typescriptKernels } from "./typescript-kernels.js";
