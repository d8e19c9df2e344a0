import { loadEncode } from "#coders";
import type { MessageEncoder } from "./encode/message-encoder.js";
import type { MessageType } from "./message-type.js";

/**
 * Creates an encoder for messages of one type. The messages can be written to any container, for example with
 * `frameTfRecords(encoder.encode(batch))`.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 */
export async function createMessageEncoder(type: MessageType): Promise<MessageEncoder> {
  const { messageEncoder } = await loadEncode();
  return messageEncoder(type);
}
