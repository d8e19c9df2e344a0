// For those who read and write JSON.
export { jsonl } from "./format.js";
export type { JsonLayoutOptions, JsonlOptions, JsonRowOptions } from "./options.js";

// For those who frame JSON in another way, or hold other records in lines or arrays.
export { jsonContainer } from "./container.js";
export { jsonPayload } from "./payload.js";
