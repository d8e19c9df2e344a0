import { type ColumnElements, columnElements, fieldIndex, firstNull } from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import type { HostColumn } from "../host/host-column.js";
import { rowOf } from "../rows/row-of-value.js";
import type { TypeSpec } from "../type-spec.js";

/**
 * Makes the host column of one tensor from each record batch. Implement this interface to add a tensor to an adapter. A result
 * must depend only on its batch, because batches may arrive in any order and a caller may request only some of the tensors.
 */
export interface TensorHandler {
  /** Spec that every result of `toHost` must match, with null for the batch dimension. */
  readonly typeSpec: TypeSpec;
  /** Columns that `toHost` reads. A projection reads only these, so its batches may lack all others. */
  readonly sourceColumns: readonly ColumnPath[];
  /**
   * Returns the host column of a batch, with one row per row of the batch. May borrow the batch's memory if it sets `borrowed`.
   * @throws {ConversionError} without the tensor's name, which the adapter adds.
   */
  toHost(batch: RecordBatch): HostColumn;
}

/** Returns the error for a representation that does not fit the columns. An adapter's constructor and `project` throw it. */
export function noHandler(finding: string, columnPath?: string): ConversionError {
  return new ConversionError("not-convertible", finding, { reason: "no-handler", columnPath });
}

/**
 * Returns the error for a row of the wrong shape. `toHost` throws it.
 * @param finding the end of the message, such as `is null`. The message begins with the row and the column.
 */
export function rowShapeError(finding: string, columnPath: string, row: number): ConversionError {
  return new ConversionError("shape-mismatch", `Row ${row} of column "${columnPath}" ${finding}.`, {
    reason: "row-shape",
    columnPath,
    row,
  });
}

/** Returns the rows of a top-level column. */
export function columnRows(batch: RecordBatch, name: string): ColumnElements {
  const index = fieldIndex(batch.schema.fields, name);
  return columnElements(batch.data.children[index] as Data);
}

/**
 * Rejects nulls among values, because no tensor can hold them.
 * @param nestedRowSplits row splits from the batch's rows down to `elements`, outermost first.
 * @throws {ConversionError} `not-convertible` (`null-value`), with the row of the first null.
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
