export type { TensorFactory } from "../tensors/tensor-factory.js";
export type { OnDeviceOptions } from "./device-tensor.js";
export { fillNullRows, type FillNullRowsOptions, type NullableRows } from "./fill-null-rows.js";
export { raggedIndices } from "./ragged-indices.js";
export { raggedToDense, type RaggedToDenseOptions } from "./ragged-to-dense.js";
export { withDeviceLayouts } from "./with-device-layouts.js";
