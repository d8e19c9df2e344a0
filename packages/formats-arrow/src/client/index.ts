// For users.
export type { StreamClientOptions } from "./client-options.js";
export { type Endpoint, type OpenEndpoint, parseEndpoint } from "./endpoint.js";
export type { EndpointInput } from "./open-endpoint.js";
export { createStreamClient, type StreamClient } from "./stream-client.js";

// For packages whose options include client options.
export { STREAM_CLIENT_RULES } from "./client-options.js";
