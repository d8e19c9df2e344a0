// For those who read and write messages.
export { protobuf } from "./format.js";
export { type MessageType, messageType, parseProto } from "./message-type.js";
export type { ProtobufOptions } from "./options.js";

// For those who frame messages otherwise.
export { createMessageEncoder, type MessageEncoder } from "./create-message-encoder.js";
export { protobufPayload } from "./payload.js";
