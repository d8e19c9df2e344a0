export type { RecordBatchSource } from "./arrow-dataset.js";
export { ArrowDataset } from "./arrow-dataset.js";
export { ArrowFeatherDataset } from "./feather-dataset.js";
export { ArrowStreamDataset, type ArrowStreamDatasetOptions } from "./stream-dataset.js";
export type { ArrowDatasetOptions, ElementForm } from "./options.js";
