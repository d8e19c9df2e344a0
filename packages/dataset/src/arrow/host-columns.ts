import {
  type ColumnElements,
  columnElements,
  firstNull,
  leafValues,
  listElements,
  nullMask,
} from "@tfxio/arrow-encoding";
import { BytesColumn, type HostColumn, type HostDense, type HostValues } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import { isBytesColumn } from "../columns/host-array.js";
import { fillFor, type NullPolicy } from "./fill-values.js";
import type { SelectedColumn } from "./selected-columns.js";

/** Suffix that turns the name of a column into the name of its mask. */
export const MASK_SUFFIX = "_mask";

/** A column of a record batch as host values, with its mask. */
export interface HostWithMask {
  readonly values: HostColumn;
  /** A bool column of shape `[rows]`, true for rows with a value. Undefined unless `nulls` is `"mask"`. */
  readonly mask: HostDense | undefined;
}

/**
 * Converts a selected column to a host column: dense of shape `[rows]` for flat values, ragged for lists. Values without nulls
 * are views, except for booleans, half floats, dictionaries, and lists in which a null row has a non-empty range of values.
 * @throws {ConversionError} `not-convertible` (`nulls`) for a null with `nulls: "error"`, and `shape-mismatch` (`row-shape`) for
 *   a list whose length differs from `outputShapes`. Both name the column and row.
 * @throws {ArgumentError} `invalid-argument` if a null has no usable fill value.
 */
export function hostColumnOf(batch: RecordBatch, column: SelectedColumn, nulls: NullPolicy): HostWithMask {
  const rows = columnElements(batch.data.children[column.index] as Data);
  const { name, dtype, isList, listLength } = column;
  const lists = isList ? listElements(rows) : undefined;
  if (lists !== undefined && nulls === "error") rejectNulls(rows, name);
  if (lists !== undefined && listLength !== undefined) rejectOtherLengths(lists.rowSplits, listLength, name);
  const elements = lists?.elements ?? rows;
  const flat = flatColumn(elements, column, nulls, (index) => rowOfValue(lists?.rowSplits, index));
  return {
    values:
      lists === undefined
        ? { kind: "dense", dtype, shape: [rows.length], values: flat, borrowed: true }
        : {
            kind: "ragged",
            dtype,
            values: flat,
            nestedRowSplits: [lists.rowSplits],
            innerShape: [],
            rowSplitsDtype: "int64",
            borrowed: true,
          },
    mask: nulls === "mask" ? maskOf(rows) : undefined,
  };
}

/** Returns the mask of a column: true for rows with a value. */
function maskOf(rows: ColumnElements): HostDense {
  const values = new Uint8Array(rows.length).fill(1);
  nullMask(rows)?.forEach((isNull, row) => {
    values[row] = 1 - isNull;
  });
  return { kind: "dense", dtype: "bool", shape: [rows.length], values, borrowed: false };
}

function flatColumn(
  elements: ColumnElements,
  column: SelectedColumn,
  nulls: NullPolicy,
  rowOf: (index: number) => number,
): HostValues {
  if (nulls === "error") {
    rejectNulls(elements, column.name, rowOf);
    return leafValues(elements);
  }
  const values = leafValues(elements);
  const isNull = nullMask(elements);
  return isNull === undefined ? values : filled(values, isNull, fillFor(nulls, column));
}

function filled(values: HostValues, isNull: Uint8Array, fill: number | bigint | Uint8Array): HostValues {
  if (isBytesColumn(values)) {
    return BytesColumn.from(
      values.toArray().map((bytes, index) => (isNull[index] === 1 ? (fill as Uint8Array) : bytes)),
    );
  }
  const copy = values.slice();
  isNull.forEach((one, index) => {
    if (one === 1) copy[index] = fill as never;
  });
  return copy;
}

function rejectNulls(
  elements: ColumnElements,
  name: string,
  rowOf: (index: number) => number = (row) => row,
): void {
  const first = firstNull(elements);
  if (first < 0) return;
  const row = rowOf(first);
  throw new ConversionError(
    "not-convertible",
    `Column "${name}" must not be null, found a null in row ${row} of its batch. Set nulls: "mask", or nulls: { fill }.`,
    { reason: "nulls", columnPath: name, row },
  );
}

function rejectOtherLengths(rowSplits: Int32Array, expected: number, name: string): void {
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const found = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
    if (found === expected) continue;
    throw new ConversionError(
      "shape-mismatch",
      `Column "${name}" must have ${expected} values per row, as in outputShapes, found ${found} in row ${row} of its batch.`,
      { reason: "row-shape", columnPath: name, row },
    );
  }
}

/** Returns the row that holds value `index`. Without row splits, each row holds one value. */
function rowOfValue(rowSplits: Int32Array | undefined, index: number): number {
  return rowSplits === undefined ? index : rowSplits.findIndex((split) => split > index) - 1;
}
