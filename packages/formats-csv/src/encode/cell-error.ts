import { ConversionError } from "@tfxio/wire";

/**
 * The error for a cell that CSV, or these options, cannot represent.
 * @param problem Follows the position in the message, such as "is an empty list".
 */
export function cellError(columnPath: string, row: number, reason: string, problem: string): ConversionError {
  return new ConversionError(
    "not-convertible",
    `Column "${columnPath}", row ${row} of the batch, ${problem}.`,
    { reason, columnPath, row },
  );
}
