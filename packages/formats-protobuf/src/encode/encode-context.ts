import { ConversionError } from "@tfxio/wire";

/** The current position of encoding, for errors. */
export interface EncodeContext {
  /** Row of the batch. */
  row: number;
}

/** @param problem Follows the name of the column in the message. */
export function unwritable(column: string, { row }: EncodeContext, problem: string): ConversionError {
  return new ConversionError("not-convertible", `Column "${column}" ${problem}, in row ${row}.`, {
    reason: "cell-value",
    columnPath: column,
    row,
  });
}

/** The error for a value that the field's type cannot hold. */
export function outOfRange(
  column: string,
  { row }: EncodeContext,
  value: number | bigint,
  type: string,
): ConversionError {
  return new ConversionError(
    "out-of-range",
    `Column "${column}" has the value ${value} in row ${row}, which ${type} cannot hold.`,
    { reason: "value-range", columnPath: column, row },
  );
}
