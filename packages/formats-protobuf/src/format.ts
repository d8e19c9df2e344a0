import { loadEncode } from "#coders";
import { recordFormat, type WritableFormat } from "@tfxio/format";
import { sizeDelimitedContainer, type SizeDelimitedOptions } from "@tfxio/format/containers";
import type { ProtobufOptions } from "./options.js";
import { protobufPayload } from "./payload.js";

/**
 * Files of length-delimited messages of one type, plain or gzip, as written by `writeDelimitedTo` of protobuf's own libraries.
 * Each message follows its length, a varint. The type is an option: `options: messageType(descriptors, "package.Name")`. Each
 * file is a split. The bytes have no recognizable start, so only the names `.pbd` and `.delimited` are detected. For other names,
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
