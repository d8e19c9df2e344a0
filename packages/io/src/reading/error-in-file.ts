import { ConversionError, isTfxioError, messageWithoutCode, SchemaError } from "@tfxio/wire";

/**
 * Returns a copy of `error` that names the file, with `error` as its cause. Errors that are neither `schema-mismatch` nor
 * conversion errors, or that already name a file, are returned unchanged.
 */
export function errorInFile(error: unknown, uri: string): unknown {
  if (isTfxioError(error, "schema-mismatch") && error.uri === undefined) {
    const { code, reason, columnPath, expected, actual } = error;
    const details = { reason, columnPath, expected, actual, uri, cause: error };
    return new SchemaError(code, `${uri}: ${messageWithoutCode(error)}`, details);
  }
  if (isTfxioError(error, "not-convertible", "out-of-range", "shape-mismatch") && error.uri === undefined) {
    const { code, reason, columnPath, row } = error;
    return new ConversionError(code, `${uri}: ${messageWithoutCode(error)}`, {
      reason,
      columnPath,
      row,
      uri,
      cause: error,
    });
  }
  return error;
}
