// Reading and writing TFRecord files.
export { rawTfrecord, sequenceTfrecord, tfRecordFormats, tfrecord } from "./format.js";
export { type DetectTfRecordOptions, detectTfRecordFormat } from "./detect.js";
export type { ExampleOptions, RawOptions, SequenceExampleOptions, TfRecordOptions } from "./options.js";

// Random access to records by an index of their offsets.
export {
  type IndexTfRecordsOptions,
  indexTfRecords,
  type TfRecordIndex,
} from "./record-index/record-index.js";
export { decodeTfRecordIndex, encodeTfRecordIndex } from "./record-index/index-bytes.js";
export {
  readTfRecordsAt,
  type ReadTfRecordsAtOptions,
  sampleTfRecords,
  type SampleTfRecordsOptions,
  type TfRecordSample,
} from "./record-index/read-records-at.js";

// Building blocks for other payloads in TFRecords, or for these payloads in other containers.
export { tfRecordContainer } from "./container.js";
export { examplePayload, rawPayload, sequenceExamplePayload } from "./payload.js";
