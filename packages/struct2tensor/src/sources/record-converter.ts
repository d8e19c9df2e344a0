import { fromJsonString, toBinary } from "@bufbuild/protobuf";
import type { MessageType as ProtobufType } from "@tfxio/formats-protobuf";
import { RecordError } from "@tfxio/wire";
import { invalidArgument } from "@tfxio/wire/checks";
import type { ResolvedType } from "./protobuf-types.js";

/** How a record is written: serialized, as protobuf text, or as proto JSON. */
export type MessageFormat = "binary" | "text" | "json";

/** Records in another format as serialized messages. */
export type RecordConverter = (records: readonly unknown[]) => readonly Uint8Array[];

/** The parser of text is loaded here, that of protobufjs. */
export async function loadRecordConverter(
  format: "text" | "json",
  resolved: ResolvedType,
  type: ProtobufType,
): Promise<RecordConverter> {
  const convert = format === "json" ? jsonConverter(resolved) : await textConverter(type);
  return (records) =>
    records.map((record, recordIndex) => {
      try {
        return convert(textOf(record));
      } catch (cause) {
        const problem = cause instanceof Error ? cause.message : String(cause);
        throw new RecordError(
          "malformed-payload",
          `Record ${recordIndex} is not a ${type.message} in ${format} format: ${problem}`,
          {
            reason: `proto-${format}`,
            recordIndex,
            cause,
          },
        );
      }
    });
}

function textOf(record: unknown): string {
  if (typeof record === "string") return record;
  if (record instanceof Uint8Array) return new TextDecoder("utf-8", { fatal: true }).decode(record);
  throw invalidArgument("records", "text, or bytes of text", record);
}

function jsonConverter({ message, registry }: ResolvedType): (text: string) => Uint8Array {
  return (text) => toBinary(message, fromJsonString(message, text, { registry }));
}

async function textConverter({ descriptor, message }: ProtobufType): Promise<(text: string) => Uint8Array> {
  const { loadTextParser } = await import("./text-format.js");
  return loadTextParser(descriptor, message);
}
