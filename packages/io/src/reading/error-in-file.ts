import { ConversionError, isTfxioError, SchemaError } from "@tfxio/wire";

/**
 * Returns a copy of `error` that names the file, with the caught error as its cause. Errors that are neither schema errors nor
 * conversion errors, or that already name a file, are returned unchanged.
 */
export function errorInFile(error: unknown, uri: string): unknown {
  if (isTfxioError(error, "schema-mismatch") && error.uri === undefined) {
    const { code, reason, columnPath, expected, actual } = error;
    const details = { reason, columnPath, expected, actual, uri, cause: error };
    return new SchemaError(code, `${uri}: ${textOf(error)}`, details);
  }
  if (isTfxioError(error, "not-convertible", "out-of-range", "shape-mismatch") && error.uri === undefined) {
    const { code, reason, columnPath, row } = error;
    return new ConversionError(code, `${uri}: ${textOf(error)}`, {
      reason,
      columnPath,
      row,
      uri,
      cause: error,
    });
  }
  return error;
}

/** Returns the message without the code in brackets. */
function textOf({ message }: Error): string {
  return message.replace(/^\[[a-z-]+\] /, "");
}
