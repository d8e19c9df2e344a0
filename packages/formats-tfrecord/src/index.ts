// For those who read TFRecord files.
export { rawTfrecord, sequenceTfrecord, tfRecordFormats, tfrecord } from "./format.js";
export { type DetectTfRecordOptions, detectTfRecordFormat } from "./detect.js";
export type { ExampleOptions, RawOptions, SequenceExampleOptions, TfRecordOptions } from "./options.js";

// Records by their number, and parts of files: an index of where each record begins.
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

// For those who frame other payloads as TFRecords, or hold these in other containers.
export { tfRecordContainer } from "./container.js";
export { examplePayload, rawPayload, sequenceExamplePayload } from "./payload.js";
