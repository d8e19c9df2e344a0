import { loadEncode } from "#coders";
import { recordFormat, type WritableFormat } from "@tfxio/format";
import { sizeDelimitedContainer, type SizeDelimitedOptions } from "@tfxio/format/containers";
import type { ProtobufOptions } from "./options.js";
import { protobufPayload } from "./payload.js";

/**
 * Format of files with size-delimited messages of one type, as protobuf's own libraries write them with `writeDelimitedTo`. The
 * files may be compressed. Each message is preceded by its length, a varint. The type is an option:
 * `options: await messageType(descriptors, "package.Name")`. Each file is one split.
 *
 * These files have no recognizable start, so they are detected only by the extensions `.pbd` and `.delimited`, which `.gz`
 * may follow. For other files, request the format by its id.
 */
export const protobuf: WritableFormat<SizeDelimitedOptions & ProtobufOptions> = recordFormat(
  { ...sizeDelimitedContainer, extensions: [".pbd", ".pbd.gz", ".delimited", ".delimited.gz"] },
  protobufPayload(),
  {
    id: "protobuf",
    module: import.meta.url,
    columnForm: "lists",
    createWriter: async (target, context) => (await loadEncode()).writeMessages(target, context),
  },
);
