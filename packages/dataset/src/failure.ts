import { ConversionError, isTfxioError } from "@tfxio/wire";

/** Takes the place of an element that could not be made; the iterator throws `error` there. */
export class Failure {
  constructor(readonly error: unknown) {}
}

/**
 * The error of converting a slice of a batch that begins at `firstRow`, with the row of the batch in field and message. The
 * error that was caught is the cause. Errors without a row stay as they are.
 */
export function errorInSlice(error: unknown, firstRow: number): unknown {
  if (firstRow === 0 || !isTfxioError(error, "not-convertible", "out-of-range", "shape-mismatch"))
    return error;
  if (error.row === undefined) return error;
  const { code, reason, tensorName, columnPath, uri, recordIndex, byteOffset } = error;
  const row = firstRow + error.row;
  const text = error.message.replace(/^\[[a-z-]+\] /, "");
  const place = new RegExp(`\\brow ${error.row}\\b(?!.*\\brow ${error.row}\\b)`, "s");
  return new ConversionError(code, text.replace(place, `row ${row}`), {
    reason,
    tensorName,
    columnPath,
    row,
    uri,
    recordIndex,
    byteOffset,
    cause: error,
  });
}
