import { ConversionError } from "@tfxio/wire";

/**
 * Returns the error for a cell that CSV cannot represent, either at all or under the given options.
 * @param problem End of the message, after the column and row, such as "is an empty list".
 */
export function cellError(columnPath: string, row: number, reason: string, problem: string): ConversionError {
  return new ConversionError(
    "not-convertible",
    `Column "${columnPath}", row ${row} of the batch, ${problem}.`,
    { reason, columnPath, row },
  );
}

/** Returns the error for a column name that the header cannot represent. @param problem End of the message, after the name. */
export function nameError(columnPath: string, reason: string, problem: string): ConversionError {
  return new ConversionError("not-convertible", `Column name "${columnPath}" ${problem}.`, {
    reason,
    columnPath,
  });
}
