// For users.
export type { StreamClientOptions } from "./client-options.js";
export { type Endpoint, type OpenEndpoint, parseEndpoint } from "./endpoint.js";
export type { EndpointInput } from "./open-endpoint.js";
export { createStreamClient, type StreamClient } from "./stream-client.js";

// For those who take the options of a client among their own.
export { STREAM_CLIENT_RULES } from "./client-options.js";
