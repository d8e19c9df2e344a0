// Reading and writing messages.
export { protobuf } from "./format.js";
export { messageType, parseProto } from "./load-message-type.js";
export type { MessageType } from "./message-type.js";
export type { ProtobufOptions } from "./options.js";

// Building blocks for messages in other containers.
export { createMessageEncoder } from "./create-message-encoder.js";
export type { MessageEncoder } from "./encode/message-encoder.js";
export { protobufPayload } from "./payload.js";
