import { floatOfCell, int64OfCell } from "../numbers/python-numbers.js";
import type { CsvColumn } from "./columns.js";

const utf8 = new TextDecoder();

/**
 * Parses the number that a cell represents in a column. Returns undefined if the column is not numeric, or if the cell does not
 * fit the column's type.
 */
export function numberOfCell(
  cell: Uint8Array,
  column: Pick<CsvColumn, "type" | "integerOf"> | undefined,
): bigint | number | undefined {
  if (column?.type === "float") return floatOfCell(cell);
  if (column?.type !== "int") return undefined;
  const value = int64OfCell(cell) ?? column.integerOf?.(utf8.decode(cell));
  return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : value;
}
