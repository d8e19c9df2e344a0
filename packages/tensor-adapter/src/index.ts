export { BytesColumn } from "@tfxio/arrow-encoding";
export type { ToDenseOptions } from "./tensors/dense-options.js";
export type { AdapterExplanation, PartExplanation, TensorMemoryExplanation } from "./explain/explain.js";
export { formatAdapterExplanation } from "./explain/format-explanation.js";
export type {
  DType,
  HostArrays,
  HostColumn,
  HostColumns,
  HostDense,
  HostRagged,
  HostSparse,
  HostValues,
} from "./host/host-column.js";
export { MAX_ELEMENTS, numberArrays, type NumberDType, numRowsOf } from "./host/host-column.js";
export { toFloat16 } from "./host/float16.js";
export { FLOAT64_POLICIES, type Float64Policy, INT64_POLICIES, type Int64Policy } from "./host/narrowing.js";
export { RaggedTensor } from "./tensors/ragged-tensor.js";
export { type ReadTensorOptions, readTensor } from "./tensors/read-tensor.js";
export type { OnEmpty, OnLong, OnShort, PerTensor, RowPolicies } from "./rows/row-policies.js";
export { SparseTensor } from "./tensors/sparse-tensor.js";
export {
  type StructuredTensorJson,
  type StructuredTensorRepresentation,
  structuredTensorFromJson,
  structuredTensorToJson,
} from "./structured/representation.js";
export type { HostStructured, HostStructuredField } from "./structured/host-structured.js";
export { type StructuredSubject, StructuredTensorSpec } from "./structured/structured-spec.js";
export { type StructuredField, StructuredTensor } from "./structured/structured-tensor.js";
export {
  StructuredTensorAdapter,
  type StructuredTensorAdapterConfig,
} from "./structured/structured-tensor-adapter.js";
export type {
  AllTensorsOptions,
  TensorAdapterConfig,
  TensorsOf,
  ToTensorsOptions,
} from "./adapter-options.js";
export { TensorAdapter } from "./tensor-adapter.js";
export type { Tensor, TensorFlowModule } from "./tensors/tensorflow.js";
export type { TensorFactory } from "./tensors/tensor-factory.js";
export type { TensorHandler } from "./handlers/tensor-handler.js";
export type { FillValue, TensorOps, TensorOpsOptions } from "./tensors/tensor-ops.js";
export { tidyTensors, type TidyResult } from "./tensors/tidy-tensors.js";
export { TensorsToRecordBatchConverter, type TensorsToRecordBatchOptions } from "./to-arrow/converter.js";
export type { AnyTensor, TensorOf, TensorOnlyOptions, ToTensorOptions } from "./tensors/to-tensor.js";
export { toTensor } from "./tensors/to-tensor.js";
export {
  type AdapterFactory,
  type HostColumnsOf,
  type TensorNamesOf,
  typedTensors,
} from "./typed-tensors.js";
export type { SpecShape, SpecSubject, TypeSpec } from "./type-spec.js";
export { RaggedTensorSpec, SparseTensorSpec, TensorSpec } from "./type-spec.js";
