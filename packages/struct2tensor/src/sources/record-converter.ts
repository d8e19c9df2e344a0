import { fromJsonString, toBinary } from "@bufbuild/protobuf";
import { fromText } from "@bufbuild/protobuf/txtpb";
import { RecordError } from "@tfxio/wire";
import { invalidArgument } from "@tfxio/wire/checks";
import type { MessageRules } from "./message-rules.js";
import type { ResolvedType } from "./protobuf-types.js";

/** Bytes that no message type accepts, because wire type 7 does not exist. */
const MALFORMED = Uint8Array.of(7);

/** Converts records in text or JSON to serialized messages. */
export type RecordConverter = (records: readonly unknown[]) => readonly Uint8Array[];

/**
 * Creates a converter for one message type, which converts records one by one. They must contain all `required` fields. Unless
 * `onMalformed` is `"error"`, the converter returns a malformed message for a malformed record, so that the decoder skips it or
 * reads it as null.
 * @throws {RecordError} from the converter: `malformed-payload` (`proto-text`, `proto-json`).
 */
export function recordConverter(
  format: "text" | "json",
  { message, registry }: ResolvedType,
  onMalformed: MessageRules["onMalformed"],
): RecordConverter {
  const parse = format === "json" ? fromJsonString : fromText;
  return (records) =>
    records.map((record, recordIndex) => {
      const text = textOf(record);
      try {
        return toBinary(message, parse(message, text, { registry }));
      } catch (cause) {
        if (onMalformed !== "error") return MALFORMED;
        const problem = cause instanceof Error ? cause.message : String(cause);
        throw new RecordError(
          "malformed-payload",
          `Record ${recordIndex} is not a ${message.typeName} in ${format} format: ${problem}`,
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
  if (record instanceof Uint8Array) return new TextDecoder().decode(record);
  throw invalidArgument("records", "text, or bytes of text", record);
}
