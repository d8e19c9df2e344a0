export { openTfxio, type TfxioOptions } from "./open-tfxio.js";
export type {
  DatasetElement,
  DatasetOptions,
  RawRecordsOptions,
  RecordBatchesOptions,
  TensorsByName,
  Tfxio,
  TfxioProgress,
} from "./tfxio.js";
