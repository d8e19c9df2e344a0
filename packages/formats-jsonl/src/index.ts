// For reading and writing JSON.
export { jsonl } from "./format.js";
export type { JsonLayoutOptions, JsonlOptions, JsonRowOptions } from "./options.js";

// For JSON with another framing, or other records in lines or arrays.
export { jsonContainer } from "./container.js";
export { jsonPayload } from "./payload.js";
