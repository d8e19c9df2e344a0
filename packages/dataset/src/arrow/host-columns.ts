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

/** Suffix of the mask component, which is true for rows with a value. */
export const MASK_SUFFIX = "_mask";

/** A column of a record batch on the host. With `nulls: "mask"`, `mask` is true for rows with a value. */
export interface HostWithMask {
  readonly values: HostColumn;
  readonly mask: HostDense | undefined;
}

/**
 * A selected column as a host column: dense for flat values, ragged for lists. Values without nulls are views, except for
 * booleans, half floats and dictionaries.
 * @throws {ConversionError} `not-convertible` (`nulls`), `shape-mismatch` (`row-shape`), naming column and row.
 */
export function hostColumnOf(batch: RecordBatch, column: SelectedColumn, nulls: NullPolicy): HostWithMask {
  const rows = columnElements(batch.data.children[column.index] as Data);
  const { name, dtype, isList, listLength } = column;
  const lists = isList ? listElements(rows) : undefined;
  if (lists !== undefined && nulls === "error") refuseNulls(rows, name);
  if (lists !== undefined && listLength !== undefined) refuseOtherLengths(lists.rowSplits, listLength, name);
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

/** True for the rows that have a value. */
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
    refuseNulls(elements, column.name, rowOf);
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

function refuseNulls(
  elements: ColumnElements,
  name: string,
  rowOf: (index: number) => number = (row) => row,
): void {
  const first = firstNull(elements);
  if (first < 0) return;
  const row = rowOf(first);
  throw new ConversionError(
    "not-convertible",
    `Column "${name}" is null in row ${row} of its batch; give nulls: "mask", or nulls: { fill } with a value for it.`,
    { reason: "nulls", columnPath: name, row },
  );
}

function refuseOtherLengths(rowSplits: Int32Array, expected: number, name: string): void {
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const found = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
    if (found === expected) continue;
    throw new ConversionError(
      "shape-mismatch",
      `Column "${name}" has ${found} values in row ${row} of its batch, expected ${expected} as in outputShapes.`,
      { reason: "row-shape", columnPath: name, row },
    );
  }
}

function rowOfValue(rowSplits: Int32Array | undefined, index: number): number {
  return rowSplits === undefined ? index : rowSplits.findIndex((split) => split > index) - 1;
}
