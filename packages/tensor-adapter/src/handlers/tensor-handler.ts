import { type ColumnElements, columnElements, fieldIndex, firstNull } from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import type { HostColumn } from "../host/host-column.js";
import { rowOf } from "../rows/row-of-value.js";
import type { TypeSpec } from "../type-spec.js";

/**
 * Makes one tensor of record batches: what an adapter consists of, and all that one of your own needs. Functions of the
 * batch alone: an adapter may be asked for tensors of several batches in any order, and for some tensors only.
 */
export interface TensorHandler {
  /** What every tensor is like; the batch dimension is null. */
  readonly typeSpec: TypeSpec;
  /** The columns that it is made of: a projection reads them and no others, so that a batch may lack the rest. */
  readonly sourceColumns: readonly ColumnPath[];
  /**
   * The tensor of a batch, one row for each of its rows. May borrow the batch's memory, and says so by `borrowed`.
   * @throws {ConversionError} without the tensor's name, which the adapter adds.
   */
  toHost(batch: RecordBatch): HostColumn;
}

/** A representation that does not fit the columns: said at construction. */
export function noHandler(finding: string, columnPath?: string): ConversionError {
  return new ConversionError("not-convertible", finding, { reason: "no-handler", columnPath });
}

/** A row that does not have the shape which the representation asks for: said while converting. */
export function rowShapeError(finding: string, columnPath: string, row: number): ConversionError {
  return new ConversionError("shape-mismatch", `Row ${row} of column "${columnPath}" ${finding}.`, {
    reason: "row-shape",
    columnPath,
    row,
  });
}

/** The rows of a top-level column. */
export function columnRows(batch: RecordBatch, name: string): ColumnElements {
  const index = fieldIndex(batch.schema.fields, name);
  return columnElements(batch.data.children[index] as Data);
}

/**
 * Refuses null among values: no tensor can hold it.
 * @param nestedRowSplits from the rows of the batch down to `elements`, outermost first.
 */
export function assertNoNull(
  elements: ColumnElements,
  nestedRowSplits: readonly Int32Array[],
  columnPath: string,
): void {
  const index = firstNull(elements);
  if (index < 0) return;
  const row = rowOf(index, nestedRowSplits);
  throw new ConversionError(
    "not-convertible",
    `Row ${row} of column "${columnPath}" has a null among its values.`,
    {
      reason: "null-value",
      columnPath,
      row,
    },
  );
}
