import { loadEncode } from "#coders";
import { recordFormat, type WritableFormat } from "@tfxio/format";
import { sizeDelimitedContainer, type SizeDelimitedOptions } from "@tfxio/format/containers";
import type { ProtobufOptions } from "./options.js";
import { protobufPayload } from "./payload.js";

/**
 * Files of length-delimited messages of one type, plain or gzip, as written by `writeDelimitedTo` of protobuf's own libraries.
 * The varint length precedes each message. The type is an option: `options: messageType(descriptors, "package.Name")`. Each file
 * is a split. Detection uses the name only, `.pbd` or `.delimited`, because the bytes have no recognizable start. Otherwise
 * request the id.
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
