// For those who read and write messages.
export { protobuf } from "./format.js";
export { messageType, parseProto } from "./load-message-type.js";
export type { MessageType } from "./message-type.js";
export type { ProtobufOptions } from "./options.js";

// For those who frame messages otherwise.
export { createMessageEncoder } from "./create-message-encoder.js";
export type { MessageEncoder } from "./encode/message-encoder.js";
export { protobufPayload } from "./payload.js";
