import { columnElements } from "@tfxio/arrow-encoding";
import { ColumnPath } from "@tfxio/schema";
import { ProtoWriter } from "@tfxio/wire";
import { resolveMessageType } from "../descriptor/message-types.js";
import type { MessageType } from "../message-type.js";
import { messageShape } from "../plan/message-shape.js";
import type { MessageEncoder } from "../create-message-encoder.js";
import { bindMessage } from "./bind-message.js";
import type { EncodeContext } from "./encode-context.js";

/** {@link createMessageEncoder}, once it is loaded. */
export function messageEncoder(type: MessageType): MessageEncoder {
  const { registry, message } = resolveMessageType(type);
  const shape = messageShape(message);
  const writer = new ProtoWriter();
  return {
    encode(batch) {
      const context: EncodeContext = { row: 0 };
      const binding = { registry, context, path: ColumnPath.of() };
      const write = bindMessage(columnElements(batch.data), batch.schema.fields, shape, binding);
      writer.finish();
      return Array.from({ length: batch.numRows }, (_, row) => {
        context.row = row;
        write(writer, row);
        return writer.finish();
      });
    },
  };
}
