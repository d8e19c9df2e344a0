import { assertArgument } from "@tfxio/wire/checks";
import type { Data, DataType } from "apache-arrow";
import { aColumn, anArrowType } from "../argument-rules.js";
import { type ColumnElements, columnElements, fieldElements, listElements } from "../column/column-access.js";
import { elementsData } from "../column/elements-data.js";
import { isListType } from "../column/list-column.js";
import { rowsOfValues } from "./parent-indices.js";

/** What lists of lists hold in the end: the type itself when it is no list. @see tfx_bsl.arrow.array_util.get_innermost_nested_type */
export function innermostType(type: DataType): DataType {
  assertArgument("type", type, anArrowType);
  return isListType(type) ? innermostType(type.valueType) : type;
}

/** The innermost values of lists of lists. */
export interface FlattenedColumn {
  /** Without lists; the column itself when it was none. Values under null rows and outside the slice are left out. */
  readonly values: Data;
  /** int32, for each value the row that it comes from, counted from the start of the slice. */
  readonly rows: Int32Array;
}

/**
 * Takes all levels of lists off a column. Borrows it unless values hide under nulls.
 * @see tfx_bsl.arrow.array_util.flatten_nested
 */
export function flattenNested(data: Data): FlattenedColumn {
  assertArgument("data", data, aColumn);
  const { elements, rows } = flattenElements(columnElements(data), iota(data.length));
  return { values: elementsData(elements), rows };
}

/** Goes down to the elements that are no lists; `rows` has the row of each element, before and after. */
export function flattenElements(
  start: ColumnElements,
  startRows: Int32Array,
): { elements: ColumnElements; rows: Int32Array } {
  let elements = start;
  let rows = startRows;
  while (isListType(elements.data.type)) {
    const list = listElements(elements);
    const outer = rows;
    rows = rowsOfValues(list.rowSplits).map((parent) => outer[parent] as number);
    elements = list.elements;
  }
  return { elements, rows };
}

/** 0, 1, 2, …: the rows of a column. */
export function iota(length: number): Int32Array {
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  return rows;
}

/**
 * One field of a struct column, null where the struct is.
 * @throws {SchemaError} `schema-mismatch` (`no-such-field`) when the column is no struct or lacks the field.
 * @see tfx_bsl.arrow.array_util.get_field
 */
export function structField(data: Data, name: string): Data {
  return elementsData(fieldElements(columnElements(data), name));
}
