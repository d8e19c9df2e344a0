import type { BatchWriter, WriterContext } from "@tfxio/format";
import type { SizeDelimitedOptions } from "@tfxio/format/containers";
import { type ByteTarget, compressedTarget, ProtoWriter } from "@tfxio/wire";
import { messageEncoder } from "./encode/message-encoder.js";
import type { ProtobufOptions } from "./options.js";

/**
 * Creates a writer of size-delimited messages, one for each row. With `compression: "auto"`, the writer compresses with gzip if
 * the name of the target ends in `.gz`. Throws the errors of {@link messageEncoder}. `write` throws those of
 * {@link MessageEncoder.encode}.
 */
export function writeMessages(
  target: ByteTarget,
  { options }: WriterContext<SizeDelimitedOptions & ProtobufOptions>,
): BatchWriter {
  const encoder = messageEncoder(options);
  const { compression } = options;
  const named = target.uri.endsWith(".gz") ? "gzip" : "none";
  const stored = compressedTarget(target, compression === "auto" ? named : compression);
  const writer = new ProtoWriter();
  return {
    async write(batch) {
      for (const record of encoder.encode(batch)) writer.lengthDelimited(record);
      await stored.write(writer.finish());
    },
    finish: () => stored.finish(),
  };
}

export { messageEncoder } from "./encode/message-encoder.js";
