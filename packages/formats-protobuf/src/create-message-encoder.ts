import { loadEncode } from "#coders";
import type { MessageEncoder } from "./encode/message-encoder.js";
import type { MessageType } from "./message-type.js";

/**
 * An encoder of messages of one type, for containers of the caller's: `frameTfRecords(encoder.encode(batch))`.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`). {@link SchemaError} `schema-invalid` (`descriptor`).
 */
export async function createMessageEncoder(type: MessageType): Promise<MessageEncoder> {
  const { messageEncoder } = await loadEncode();
  return messageEncoder(type);
}
