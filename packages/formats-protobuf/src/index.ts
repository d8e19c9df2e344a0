// For those who read messages.
export { type MessageType, messageType } from "./message-type.js";
export type { ProtobufOptions } from "./options.js";

// For those who frame messages otherwise.
export { protobufPayload } from "./payload.js";
