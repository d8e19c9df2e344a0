import { type ColumnElements, columnElements, firstNull } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import type { HostColumn } from "./host-column.js";
import type { TypeSpec } from "./type-spec.js";

/** Makes one tensor of record batches of one schema. */
export interface TensorHandler {
  readonly typeSpec: TypeSpec;
  /**
   * @throws {ConversionError} without the tensor's name, which the adapter adds.
   */
  toHost(batch: RecordBatch): HostColumn;
}

/** Fixed sizes have to be exact numbers, and no batch can hold more elements than this. */
export const MAX_ELEMENTS: number = 2 ** 31 - 1;

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
  const index = batch.schema.fields.findIndex((field) => field.name === name);
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

/** The row of the batch that element `index` below the innermost of `nestedRowSplits` belongs to. */
export function rowOf(index: number, nestedRowSplits: readonly Int32Array[]): number {
  return nestedRowSplits.reduceRight((position, splits) => lastAtOrBelow(splits, position), index);
}

function lastAtOrBelow(splits: Int32Array, position: number): number {
  let low = 0;
  let high = splits.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((splits[middle] as number) <= position) low = middle;
    else high = middle;
  }
  return low;
}
