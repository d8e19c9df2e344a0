import { floatOfCell, int64OfCell } from "../numbers/python-numbers.js";
import type { CsvColumn } from "./columns.js";

const utf8 = new TextDecoder();

/** The number that a cell represents in a column; undefined for a cell that is not such a number. */
export function numberOfCell(
  cell: Uint8Array,
  column: Pick<CsvColumn, "type" | "integerOf"> | undefined,
): bigint | number | undefined {
  if (column?.type === "float") return floatOfCell(cell);
  if (column?.type !== "int") return undefined;
  const value = int64OfCell(cell) ?? column.integerOf?.(utf8.decode(cell));
  return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : value;
}
