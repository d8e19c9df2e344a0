import { loadEncode } from "#coders";
import { recordFormat, type WritableFormat } from "@tfxio/format";
import { sizeDelimitedContainer, type SizeDelimitedOptions } from "@tfxio/format/containers";
import type { ProtobufOptions } from "./options.js";
import { protobufPayload } from "./payload.js";

/**
 * Files of messages of one type, each after its length as a varint, plain or gzip: what `writeDelimitedTo` of protobuf's own
 * libraries writes. The type is an option: `options: messageType(descriptors, "package.Name")`. Each file is a split. Nothing in
 * the bytes gives such files away, so a registry finds them only by their name, `.pbd` or `.delimited`, or by the id.
 */
export const protobuf: WritableFormat<SizeDelimitedOptions & ProtobufOptions> = recordFormat(
  { ...sizeDelimitedContainer, extensions: [".pbd", ".pbd.gz", ".delimited"] },
  protobufPayload(),
  {
    id: "protobuf",
    module: import.meta.url,
    columnForm: "lists",
    createWriter: async (target, context) => (await loadEncode()).writeMessages(target, context),
  },
);
