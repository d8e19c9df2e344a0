import { columnElements } from "@tfxio/arrow-encoding";
import { ColumnPath } from "@tfxio/schema";
import { ProtoWriter } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { resolveMessageType } from "../descriptor/message-types.js";
import type { MessageType } from "../message-type.js";
import { messageShape } from "../plan/message-shape.js";
import { bindMessage } from "./bind-message.js";
import type { EncodeContext } from "./encode-context.js";

/** Encodes rows as serialized messages. */
export interface MessageEncoder {
  /**
   * Encodes each row as one record. This is the inverse of decoding. A column of lists or of single values becomes the field of
   * the same name. Null and `[]` write nothing. As in reading, columns may also be named `field[key]`, `(type.in.Any)` and
   * `(extension)`. Fields are written in the order of their field numbers. A repeated field is packed if the descriptor says so.
   * @throws {SchemaError} `schema-mismatch`: `unknown-column`, `wrong-kind`.
   * @throws {ArgumentError} `invalid-argument` (`map-key`) for a column whose map key does not fit the key type of the map.
   * @throws {ConversionError} `out-of-range` (`value-range`); `not-convertible` (`cell-value`) for several values in a singular
   *   field, or a null in a list.
   */
  encode(batch: RecordBatch): readonly Uint8Array[];
}

/**
 * Implements {@link createMessageEncoder}. Loaded on demand.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 */
export function messageEncoder(type: MessageType): MessageEncoder {
  const { registry, message } = resolveMessageType(type);
  const shape = messageShape(message);
  const writer = new ProtoWriter();
  return {
    encode(batch) {
      const context: EncodeContext = { row: 0 };
      const binding = { registry, context, path: ColumnPath.of() };
      const write = bindMessage(columnElements(batch.data), batch.schema.fields, shape, binding);
      // Drops the bytes that remain if an earlier batch failed halfway through a record.
      writer.finish();
      return Array.from({ length: batch.numRows }, (_, row) => {
        context.row = row;
        write(writer, row);
        return writer.finish();
      });
    },
  };
}
