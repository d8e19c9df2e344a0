import { ConversionError, isTfxioError, messageWithoutCode } from "@tfxio/wire";

/** Takes the place of an element that failed. The iterator throws `error` when it reaches that position. */
export class Failure {
  constructor(readonly error: unknown) {}
}

/**
 * Corrects the row number in an error about a slice of a batch: it becomes the row's number in the whole batch, both in the
 * property `row` and in the message. The original error becomes the cause. Returns the error unchanged if it is not about the
 * conversion of a row, or if `firstRow` is 0.
 * @param firstRow Row of the batch at which the slice begins.
 */
export function errorInSlice(error: unknown, firstRow: number): unknown {
  if (firstRow === 0 || !isTfxioError(error, "not-convertible", "out-of-range", "shape-mismatch"))
    return error;
  if (error.row === undefined) return error;
  const { code, reason, tensorName, columnPath, uri, recordIndex, byteOffset } = error;
  const row = firstRow + error.row;
  const text = messageWithoutCode(error);
  // For row 3, changes the number in "Row 3 of column" if the message contains these words. Otherwise changes it in the last
  // "row 3", because an earlier "row 3" may be part of the name of a tensor or column.
  const [own, other] = [`\\bRow ${error.row}(?= of column )`, `\\brow ${error.row}\\b`];
  const place = new RegExp(`${own}|${other}(?!.*(?:${own}|${other}))`, "s");
  const message = text.replace(place, (found) => `${found.slice(0, "row".length)} ${row}`);
  return new ConversionError(code, message, {
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
