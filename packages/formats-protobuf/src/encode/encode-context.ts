import { ConversionError } from "@tfxio/wire";

/** The row that is being encoded, for error messages. Shared by all writers of a batch. */
export interface EncodeContext {
  /** Row of the batch. */
  row: number;
}

/**
 * Creates the error for a cell that cannot be written: `not-convertible` (`cell-value`).
 * @param problem text that follows the name of the column in the error message.
 */
export function unwritable(column: string, { row }: EncodeContext, problem: string): ConversionError {
  return new ConversionError("not-convertible", `Column "${column}" ${problem}, in row ${row}.`, {
    reason: "cell-value",
    columnPath: column,
    row,
  });
}

/** Creates the error for a value that the type of the field cannot hold: `out-of-range` (`value-range`). */
export function outOfRange(
  column: string,
  { row }: EncodeContext,
  value: number | bigint,
  type: string,
): ConversionError {
  return new ConversionError(
    "out-of-range",
    `Row ${row} of the column "${column}" has the value ${value}, which ${type} cannot hold.`,
    { reason: "value-range", columnPath: column, row },
  );
}
