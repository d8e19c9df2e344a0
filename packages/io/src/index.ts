// Reading.
export { type AllColumns, openTfxio, type TfxioInput } from "./open-tfxio.js";
export type { TfxioOptions } from "./open-options.js";
export type { BatchLease } from "./leases/batch-lease.js";
export type { SplitOptions } from "./reading/sampled-requests.js";
export type {
  CountRowsOptions,
  DatasetElement,
  DatasetOptions,
  LeasedBatchesOptions,
  ProjectedRow,
  RawRecordsOptions,
  RecordBatchesOptions,
  SplitTfxios,
  TensorsByName,
  Tfxio,
  TfxioProgress,
} from "./tfxio.js";
export { standardFormats } from "./standard-formats.js";

// Selecting rows.
export { firstRows } from "./rows/first-rows.js";
export { lastRows } from "./rows/last-rows.js";
export { sampleRows, type SampleRowsOptions } from "./rows/sample-rows.js";
export type { SomeRowsOptions } from "./rows/some-rows-options.js";

// Reading data that the caller passes in, or reading files with the caller's decoder.
export { datasetTfxio, type DatasetTfxioOptions } from "./records/dataset-tfxio.js";
export type { BatchDataset, DatasetPass } from "./records/dataset-batches.js";
export {
  recordToTensorTfxio,
  type RecordToTensorOptions,
} from "./decoder/record-to-tensor-tfxio.js";
export type { DecodedBatch, DecoderDescription, RecordDecoder } from "./decoder/record-decoder.js";
export { recordTfxio, type RecordTfxioOptions } from "./records/record-tfxio.js";
export type { RecordIterable, RecordSource } from "./records/record-source.js";

// Repeating a read in another process.
export { describeRead } from "./description/described-tfxios.js";
export type { ReadDescription } from "./description/read-description.js";
export { openRead, type OpenReadOptions } from "./open-read.js";

// Verifying files.
export { verify } from "./verify/verify.js";
export type { VerifyOptions, VerifyProgress } from "./verify/verify-options.js";
export type { Damage, FileReport, VerifyReport } from "./verify/verify-report.js";

// Writing.
export {
  type WriteProgress,
  writeTfxio,
  type WriteTfxioOptions,
  type WriteSummary,
} from "./write/write-tfxio.js";
export {
  type ShardsProgress,
  type ShardsSummary,
  writeShards,
  type WriteShardsOptions,
} from "./write/write-shards.js";
export { assertTargetApart, type TargetApartOptions } from "./write/target-apart.js";
export type { WritableData } from "./write/writable-data.js";

// For processing engines that write shards themselves.
export { shardName } from "./write/shard-names.js";
