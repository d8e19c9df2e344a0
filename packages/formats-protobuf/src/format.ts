import { loadEncode } from "#coders";
import { recordFormat, type WritableFormat } from "@tfxio/format";
import { sizeDelimitedContainer, type SizeDelimitedOptions } from "@tfxio/format/containers";
import type { ProtobufOptions } from "./options.js";
import { protobufPayload } from "./payload.js";

/**
 * Format of files with length-delimited messages of one type, plain or gzip, as protobuf's own libraries write them with
 * `writeDelimitedTo`. Each message follows its length, a varint. The type is an option:
 * `options: messageType(descriptors, "package.Name")`. Each file is one split.
 *
 * These files have no recognizable start, so only the file names `.pbd` and `.delimited` are detected. For other names, request
 * the format by its id.
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
