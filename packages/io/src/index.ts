export type { TfxioOptions } from "./open-options.js";
export { openTfxio } from "./open-tfxio.js";
export type {
  DatasetElement,
  DatasetOptions,
  RawRecordsOptions,
  RecordBatchesOptions,
  TensorsByName,
  Tfxio,
  TfxioProgress,
} from "./tfxio.js";
