export type { BatchLease } from "./batch-lease.js";
export type { TfxioOptions } from "./open-options.js";
export { openTfxio } from "./open-tfxio.js";
export type {
  DatasetElement,
  DatasetOptions,
  LeasedBatchesOptions,
  RawRecordsOptions,
  RecordBatchesOptions,
  TensorsByName,
  Tfxio,
  TfxioProgress,
} from "./tfxio.js";
