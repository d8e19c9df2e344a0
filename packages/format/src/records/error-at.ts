import { isTfxioError, messageWithoutCode, RecordError, SchemaError } from "@tfxio/wire";

/** The place of a record in its file. */
export interface RecordPlace {
  readonly uri: string;
  readonly recordIndex: number;
  readonly byteOffset: number;
}

/**
 * Returns a copy of `error` that names `place`, with `error` as its cause. Only a RecordError or SchemaError gets a place. Other
 * errors are returned unchanged.
 */
export function errorAt(error: unknown, place: RecordPlace): unknown {
  if (!isTfxioError(error)) return error;
  const { uri, recordIndex, byteOffset } = place;
  const message = `${uri}, record ${recordIndex} at byte ${byteOffset}: ${messageWithoutCode(error)}`;
  if (isTfxioError(error, "corrupt-record", "truncated-record", "malformed-payload", "limit-exceeded")) {
    const { code, reason } = error;
    return new RecordError(code, message, { reason, ...place, cause: error });
  }
  if (isTfxioError(error, "schema-required", "schema-invalid", "schema-mismatch")) {
    const { code, reason, columnPath, expected, actual } = error;
    return new SchemaError(code, message, { reason, columnPath, expected, actual, ...place, cause: error });
  }
  return error;
}
