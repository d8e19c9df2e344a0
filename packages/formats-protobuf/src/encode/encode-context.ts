import { ConversionError } from "@tfxio/wire";

/** Where encoding has come to, for errors. */
export interface EncodeContext {
  /** Row of the batch. */
  row: number;
}

/** @param problem follows the name of the column. */
export function unwritable(column: string, { row }: EncodeContext, problem: string): ConversionError {
  return new ConversionError("not-convertible", `Column "${column}" ${problem}, in row ${row}.`, {
    reason: "cell-value",
    columnPath: column,
    row,
  });
}

/** A value that the field's type cannot hold. */
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
