// Reads and writes Avro files.
export { avro } from "./format.js";
export type { AvroOptions, AvroPayloadOptions } from "./options.js";

// Decodes Avro records that are stored in other containers or held in memory.
export { avroPayload } from "./payload.js";
