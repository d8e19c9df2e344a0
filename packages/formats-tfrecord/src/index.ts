// For those who read TFRecord files.
export { rawTfrecord, sequenceTfrecord, tfRecordFormats, tfrecord } from "./format.js";
export { type DetectTfRecordOptions, detectTfRecordFormat } from "./detect.js";
export type { ExampleOptions, RawOptions, SequenceExampleOptions, TfRecordOptions } from "./options.js";

// For those who frame other payloads as TFRecords, or hold these in other containers.
export { tfRecordContainer } from "./container.js";
export { examplePayload, rawPayload, sequenceExamplePayload } from "./payload.js";
