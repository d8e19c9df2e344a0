import type { RecordBatch } from "apache-arrow";
import type { DefaultValue } from "../host/default-value.js";
import { fitRows } from "../rows/fit-rows.js";
import type { ColumnDType, HostColumn, HostDense, HostSparse, HostValues } from "../host/host-column.js";
import { rowPositions } from "../rows/row-positions.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { TensorHandler } from "./tensor-handler.js";

/** Rows of a dense tensor that are yet to be filled up or cut off. Borrows the batch. */
export interface PackedDense {
  readonly kind: "packed-dense";
  readonly dtype: ColumnDType;
  /** What it becomes. */
  readonly shape: readonly number[];
  readonly values: HostValues;
  readonly rowSplits: Int32Array;
  /** Undefined when no row is too short. */
  readonly fill: DefaultValue | undefined;
}

/** Values of a sparse tensor whose indices are yet to be made: row, and position in it. Borrows the batch. */
export interface PackedSparse {
  readonly kind: "packed-sparse";
  readonly dtype: ColumnDType;
  readonly values: HostValues;
  readonly rowSplits: Int32Array;
  /** True when `values` is a view of the record batch. */
  readonly borrowed: boolean;
}

/** A column as Arrow packs it, whose tensor is made of more than that: on the host, or on the device of a backend. */
export type PackedColumn = PackedDense | PackedSparse;

/** Names a method that no handler of the caller's own has by chance. */
export const PACK: unique symbol = Symbol("pack");

/** A handler that can leave the making of the tensor to others; its `toHost` is `unpacked` of what it packs. */
export interface PackingHandler extends TensorHandler {
  /** A host column where nothing is left to do. @throws as `toHost`. */
  [PACK](batch: RecordBatch): HostColumn | PackedColumn;
}

/** True for those handlers of ours that pack. */
export function isPacking(handler: TensorHandler): handler is PackingHandler {
  return PACK in handler;
}

/** True for what is left to be made. */
export function isPacked(column: HostColumn | PackedColumn): column is PackedColumn {
  return column.kind === "packed-dense" || column.kind === "packed-sparse";
}

/** The host column, made on the host. */
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
