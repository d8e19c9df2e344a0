import type { HostColumn, HostDense } from "@tfxio/tensor-adapter";
import { gatherValues, sliceValues } from "./gather-values.js";
import { isBytesColumn, type NumericArray } from "./host-array.js";
import { type RowRanges, totalRows } from "./row-ranges.js";

/** Copies row ranges of dense columns into one column. The columns must have the same dtype and row shape. */
export function gatherDense(parts: readonly HostDense[], ranges: RowRanges): HostDense {
  const { dtype, shape } = parts[0] as HostDense;
  const values = gatherValues(
    parts.map((part) => part.values),
    dtype,
    ranges,
    rowSize(shape),
  );
  return { kind: "dense", dtype, shape: [totalRows(ranges), ...shape.slice(1)], values, borrowed: false };
}

/** Returns rows `start` to `end` (exclusive) as a view. */
export function sliceDense(column: HostDense, start: number, end: number): HostDense {
  const stride = rowSize(column.shape);
  const values = sliceValues(column.values, start * stride, end * stride);
  return { ...column, shape: [end - start, ...column.shape.slice(1)], values };
}

/**
 * Returns row `index` without the batch dimension. A scalar other than float16 is a number, bigint, boolean or bytes. Other rows
 * are views.
 */
export function denseRow(
  column: HostDense,
  index: number,
): number | bigint | boolean | Uint8Array | HostDense {
  // Values of float16 columns are raw bits, not usable numbers. Their scalars stay host values of shape [].
  if (column.shape.length === 1 && column.dtype !== "float16") {
    const { values } = column;
    if (!ArrayBuffer.isView(values)) return values.get(index);
    return column.dtype === "bool" ? values[index] === 1 : (values[index] as number | bigint);
  }
  const row = sliceDense(column, index, index + 1);
  return { ...row, shape: row.shape.slice(1) };
}

/** Returns rows `start` to `start + numRows` (exclusive), each in the form of {@link denseRow}. */
export function denseRowsOf(
  column: HostDense,
  start: number,
  numRows: number,
): readonly (number | bigint | boolean | Uint8Array | HostDense)[] {
  const values = plainRowsOf(column);
  if (values !== undefined) {
    // An index loop is several times faster than an iterator.
    const rows: (number | bigint)[] = [];
    for (let row = start; row < start + numRows; row++) rows.push(values[row] as number | bigint);
    return rows;
  }
  return Array.from({ length: numRows }, (_, row) => denseRow(column, start + row));
}

/** Borrows the values of a column if each value is already what {@link denseRow} returns. Otherwise returns undefined. */
export function plainRowsOf(column: HostColumn): NumericArray | undefined {
  if (column.kind !== "dense" || column.shape.length !== 1) return undefined;
  const { dtype, values } = column;
  return dtype === "float16" || dtype === "bool" || isBytesColumn(values) ? undefined : values;
}

/** Returns the number of values in one row. @param shape Shape of the column, with the batch dimension. */
function rowSize(shape: readonly number[]): number {
  let size = 1;
  for (let dimension = 1; dimension < shape.length; dimension++) size *= shape[dimension] as number;
  return size;
}
