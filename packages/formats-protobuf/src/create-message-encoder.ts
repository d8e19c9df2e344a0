import { loadEncode } from "#coders";
import type { RecordBatch } from "apache-arrow";
import type { MessageType } from "./message-type.js";

/** Turns rows into serialized messages. */
export interface MessageEncoder {
  /**
   * One record for each row: the inverse of decoding. A list of values, or a single value, becomes the field of that name; null
   * and `[]` write nothing. Columns may also be `field[key]`, `(type.in.Any)` and `(extension)`, as they are read. Fields come in
   * the order of their numbers; repeated numbers are packed where the descriptor says so.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `wrong-kind`.
   * @throws {ConversionError} `out-of-range` (`value-range`), `not-convertible` (`cell-value`) for several values of a field of
   * one, or a null in a list.
   */
  encode(batch: RecordBatch): readonly Uint8Array[];
}

/**
 * An encoder of messages of one type, for containers of the caller's: `frameTfRecords(encoder.encode(batch))`.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`). {@link SchemaError} `schema-invalid` (`descriptor`).
 */
export async function createMessageEncoder(type: MessageType): Promise<MessageEncoder> {
  const { messageEncoder } = await loadEncode();
  return messageEncoder(type);
}
