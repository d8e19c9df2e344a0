import { loadEncode } from "#coders";
import type { MessageEncoder } from "./encode/message-encoder.js";
import type { MessageType } from "./message-type.js";

/**
 * An encoder of messages of one type, for other containers: `frameTfRecords(encoder.encode(batch))`.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 */
export async function createMessageEncoder(type: MessageType): Promise<MessageEncoder> {
  const { messageEncoder } = await loadEncode();
  return messageEncoder(type);
}
