export type { TfData } from "./as-tf-dataset.js";
export { asTfDataset } from "./as-tf-dataset.js";
