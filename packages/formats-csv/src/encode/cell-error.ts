import { ConversionError } from "@tfxio/wire";

/**
 * Returns the error for a cell that CSV cannot represent, at all or under the given options.
 * @param problem End of the message, after the column and row, such as "is an empty list".
 */
export function cellError(columnPath: string, row: number, reason: string, problem: string): ConversionError {
  return new ConversionError(
    "not-convertible",
    `Column "${columnPath}", row ${row} of the batch, ${problem}.`,
    { reason, columnPath, row },
  );
}
