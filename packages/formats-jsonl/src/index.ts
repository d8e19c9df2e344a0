// The format, for reading and writing JSON.
export { jsonl } from "./format.js";
export type { JsonLayoutOptions, JsonlOptions, JsonRowOptions } from "./options.js";

// The two parts of the format: combine the container with another payload, or the payload with another container.
export { jsonContainer } from "./container.js";
export { jsonPayload } from "./payload.js";
