import { BytesColumn, type NumberArray } from "@tfxio/arrow-encoding";
import type { DefaultValue } from "./default-value.js";
import type { HostValues } from "./host-column.js";

/**
 * Values of rows that all have `rowSize` of them: what a row has too many is cut off at its end, what it lacks (all, for
 * null and empty rows) is the default. Copies.
 * @param fill needed when a row is too short.
 */
export function fitRows(
  values: HostValues,
  rowSplits: Int32Array,
  rowSize: number,
  fill: DefaultValue | undefined,
): HostValues {
  return values instanceof BytesColumn
    ? fitBytes(values, rowSplits, rowSize, fill as Uint8Array)
    : fitNumbers(values, rowSplits, rowSize, fill as number | bigint | undefined);
}

function fitNumbers(
  values: NumberArray,
  rowSplits: Int32Array,
  rowSize: number,
  fill: number | bigint | undefined,
): NumberArray {
  const numRows = rowSplits.length - 1;
  const ArrayType = values.constructor as new (length: number) => NumberArray;
  const fitted = new ArrayType(numRows * rowSize);
  if (fill !== undefined) fitted.fill(fill as never);
  for (let row = 0; row < numRows; ) {
    const start = rowSplits[row] as number;
    // Rows that fit lie together and are copied together.
    let next = row;
    while (next < numRows && rowSplits[next + 1] === start + (next + 1 - row) * rowSize) next++;
    const end =
      next > row ? (rowSplits[next] as number) : Math.min(start + rowSize, rowSplits[row + 1] as number);
    fitted.set(values.subarray(start, end) as never, row * rowSize);
    row = Math.max(next, row + 1);
  }
  return fitted;
}

function fitBytes(
  values: BytesColumn,
  rowSplits: Int32Array,
  rowSize: number,
  fill: Uint8Array,
): BytesColumn {
  const fitted: Uint8Array[] = [];
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const start = rowSplits[row] as number;
    const end = rowSplits[row + 1] as number;
    for (let at = start; at < start + rowSize; at++) fitted.push(at < end ? values.get(at) : fill);
  }
  return BytesColumn.from(fitted);
}
