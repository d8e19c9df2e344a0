// For those who read and write Avro files.
export { avro } from "./format.js";
export type { AvroOptions, AvroPayloadOptions } from "./options.js";

// For those who hold Avro values in other containers, or bring them themselves.
export { avroPayload } from "./payload.js";
