// For users: reading and writing Avro files.
export { avro } from "./format.js";
export type { AvroOptions, AvroPayloadOptions } from "./options.js";

// For users with Avro records in other containers, or in memory.
export { avroPayload } from "./payload.js";
