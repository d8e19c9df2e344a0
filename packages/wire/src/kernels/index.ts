export {
  type ColumnBuffers,
  type ExampleBatch,
  type ExampleColumnPlan,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  type FramedOptions,
  type Kernels,
  KernelStatus,
  type PushResult,
  type ScanResult,
} from "./kernels.js";
