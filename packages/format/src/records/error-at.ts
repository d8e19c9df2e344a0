import { isTfxioError, RecordError, SchemaError } from "@tfxio/wire";

/** Place of a record in its file. */
export interface RecordPlace {
  readonly uri: string;
  readonly recordIndex: number;
  readonly byteOffset: number;
}

/** The error with the given place, and the caught error as its cause. Errors without a place are returned as they are. */
export function errorAt(error: unknown, place: RecordPlace): unknown {
  const { uri, recordIndex, byteOffset } = place;
  if (isTfxioError(error, "corrupt-record", "truncated-record", "malformed-payload", "limit-exceeded")) {
    const { code, reason } = error;
    return new RecordError(code, `${uri}, record ${recordIndex} at byte ${byteOffset}: ${textOf(error)}`, {
      reason,
      ...place,
      cause: error,
    });
  }
  if (isTfxioError(error, "schema-required", "schema-invalid", "schema-mismatch")) {
    const { code, reason, columnPath, expected, actual } = error;
    return new SchemaError(code, `${uri}, record ${recordIndex} at byte ${byteOffset}: ${textOf(error)}`, {
      reason,
      columnPath,
      expected,
      actual,
      ...place,
      cause: error,
    });
  }
  return error;
}

/** The message without its code. */
function textOf({ message }: Error): string {
  return message.replace(/^\[[a-z-]+\] /, "");
}
