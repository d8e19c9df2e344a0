// For those who read TFRecord files.
export { tfRecordFormats, tfrecord } from "./format.js";
export type { ExampleOptions, TfRecordOptions } from "./options.js";

// For those who frame other payloads as TFRecords, or hold tf.Examples in other containers.
export { tfRecordContainer } from "./container.js";
export { examplePayload } from "./payload.js";
