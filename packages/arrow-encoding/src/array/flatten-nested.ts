import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType } from "apache-arrow";
import { aColumn, anArrowType } from "../argument-rules.js";
import { type ColumnElements, columnElements, fieldElements, listElements } from "../column/column-access.js";
import { elementsData } from "../column/elements-data.js";
import { isListType } from "../column/list-column.js";
import { rowsOfValues } from "./parent-indices.js";

/**
 * Returns the type of the innermost values of nested lists, or `type` itself if it is not a list.
 * @see tfx_bsl.arrow.array_util.get_innermost_nested_type
 */
export function innermostType(type: DataType): DataType {
  assertArgument("type", type, anArrowType);
  return isListType(type) ? innermostType(type.valueType) : type;
}

/**
 * Returns true for types without values: Null, lists of such types, and structs that have only fields of such types. Schema
 * inference creates no feature for a column of such a type, so a read with `unlisted: "error"` accepts the column.
 */
export function isValueless(type: DataType): boolean {
  const inner = innermostType(type);
  if (DataType.isStruct(inner)) return inner.children.every((field) => isValueless(field.type));
  return DataType.isNull(inner);
}

/** The innermost values of nested lists, and the row of each value. */
export interface FlattenedColumn {
  /** The innermost values, or the original column if it has no lists. Excludes values in null lists or outside the slice. */
  readonly values: Data;
  /** int32, one per value: the value's row, counted from 0 at the start of the slice. */
  readonly rows: Int32Array;
}

/**
 * Flattens all list levels of a column. Borrows the values, but copies them if values of null lists lie between them.
 * @see tfx_bsl.arrow.array_util.flatten_nested
 */
export function flattenNested(data: Data): FlattenedColumn {
  assertArgument("data", data, aColumn);
  const { elements, rows } = flattenElements(columnElements(data), iota(data.length));
  return { values: elementsData(elements), rows };
}

/**
 * Descends through all list levels. Returns the innermost elements and the row of each.
 * @param startRows The row of each element of `start`.
 */
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

/** Returns the row numbers of a column as int32: 0, 1, 2, …, `length - 1`. */
export function iota(length: number): Int32Array {
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  return rows;
}

/**
 * Returns one field of a struct column, null where the struct is null. Borrows the column.
 * @throws {SchemaError} `schema-mismatch` (`no-such-field`) if the column is not a struct or lacks the field.
 * @see tfx_bsl.arrow.array_util.get_field
 */
export function structField(data: Data, name: string): Data {
  return elementsData(fieldElements(columnElements(data), name));
}
