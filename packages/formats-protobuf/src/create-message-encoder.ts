import { loadEncode } from "#coders";
import type { MessageEncoder } from "./encode/message-encoder.js";
import type { MessageType } from "./message-type.js";

/**
 * Creates an encoder of messages of one type, to write them into other containers: `frameTfRecords(encoder.encode(batch))`.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 */
export async function createMessageEncoder(type: MessageType): Promise<MessageEncoder> {
  const { messageEncoder } = await loadEncode();
  return messageEncoder(type);
}
