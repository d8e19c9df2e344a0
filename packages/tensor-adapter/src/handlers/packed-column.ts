import type { RecordBatch } from "apache-arrow";
import type { DefaultValue } from "../host/default-value.js";
import { fitRows } from "../rows/fit-rows.js";
import type { ColumnDType, HostColumn, HostDense, HostSparse, HostValues } from "../host/host-column.js";
import { rowPositions } from "../rows/row-positions.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { TensorHandler } from "./tensor-handler.js";

/** Rows of a dense tensor, before padding and truncation. May borrow memory of the batch. */
export interface PackedDense {
  readonly kind: "packed-dense";
  readonly dtype: ColumnDType;
  /** Shape of the tensor after padding and truncation, batch dimension first. */
  readonly shape: readonly number[];
  /** Values of all rows, without padding. */
  readonly values: HostValues;
  /** Row splits, as positions in `values`; length `numRows + 1`. A null row is empty. */
  readonly rowSplits: Int32Array;
  /** The default value. Undefined only if no row is too short. */
  readonly fill: DefaultValue | undefined;
}

/** Values of a sparse tensor, before its indices (row and position) are built. May borrow memory of the batch. */
export interface PackedSparse {
  readonly kind: "packed-sparse";
  readonly dtype: ColumnDType;
  readonly values: HostValues;
  /** Length `numRows + 1`. A null row has no values, like an empty one. */
  readonly rowSplits: Int32Array;
  /** True when `values` is a view of the record batch. */
  readonly borrowed: boolean;
}

/** A column in packed form: values and row splits, from which the tensor is built on the host or on a backend's device. */
export type PackedColumn = PackedDense | PackedSparse;

/** Key of the packing method. A symbol, so that no custom handler has it by accident. */
export const PACK: unique symbol = Symbol("pack");

/** A handler that can also return the packed form of a column. Its `toHost` applies {@link unpacked} to that form. */
export interface PackingHandler extends TensorHandler {
  /**
   * Returns the packed form, or the finished host column, for example if no row needs padding or truncation.
   * @throws The errors of `toHost`.
   */
  [PACK](batch: RecordBatch): HostColumn | PackedColumn;
}

/** True for built-in handlers that can pack. */
export function isPacking(handler: TensorHandler): handler is PackingHandler {
  return PACK in handler;
}

/** True for a packed column. */
export function isPacked(column: HostColumn | PackedColumn): column is PackedColumn {
  return column.kind === "packed-dense" || column.kind === "packed-sparse";
}

/** Builds the host column of a packed column. The values of a dense column are copied; those of a sparse column are not. */
export function unpacked(column: PackedDense): HostDense;
export function unpacked(column: PackedSparse): HostSparse;
export function unpacked(column: PackedColumn): HostDense | HostSparse;
export function unpacked(column: PackedColumn): HostDense | HostSparse {
  const { dtype, values, rowSplits } = column;
  if (column.kind === "packed-sparse") {
    const { indices, longest } = rowPositions(rowSplits);
    const denseShape = [rowSplits.length - 1, longest];
    return { kind: "sparse", dtype, indices, values, denseShape, borrowed: column.borrowed };
  }
  const { shape, fill } = column;
  const fitted = fitRows(values, rowSplits, sizeOf(shape.slice(1)), fill);
  return { kind: "dense", dtype, shape, values: fitted, borrowed: false };
}
