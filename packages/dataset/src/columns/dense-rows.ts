import type { RowRanges } from "@tfxio/arrow-encoding";
import type { HostDense } from "@tfxio/tensor-adapter";
import { gatherValues, sliceValues } from "./gather-values.js";
import { totalRows } from "./row-ranges.js";

/** Rows of dense columns of one dtype and row shape. Copies. */
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

/** Rows `start` to `end` (exclusive) as a view. */
export function sliceDense(column: HostDense, start: number, end: number): HostDense {
  const stride = rowSize(column.shape);
  const values = sliceValues(column.values, start * stride, end * stride);
  return { ...column, shape: [end - start, ...column.shape.slice(1)], values };
}

/** Row `index` without the batch dimension: a number, bigint, boolean or byte string, or a view when it has dimensions. */
export function denseRow(
  column: HostDense,
  index: number,
): number | bigint | boolean | Uint8Array | HostDense {
  // float16 holds raw bits, which are no number to hand out.
  if (column.shape.length === 1 && column.dtype !== "float16") {
    const { values } = column;
    if (!ArrayBuffer.isView(values)) return values.get(index);
    return column.dtype === "bool" ? values[index] === 1 : (values[index] as number | bigint);
  }
  const row = sliceDense(column, index, index + 1);
  return { ...row, shape: row.shape.slice(1) };
}

/** Values in one row. */
function rowSize(shape: readonly number[]): number {
  let size = 1;
  for (let dimension = 1; dimension < shape.length; dimension++) size *= shape[dimension] as number;
  return size;
}
