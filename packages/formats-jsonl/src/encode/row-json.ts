import {
  type ColumnElements,
  columnElements,
  fieldElements,
  isListType,
  listElements,
  nullMask,
  toListColumns,
} from "@tfxio/arrow-encoding";
import { SchemaError } from "@tfxio/wire";
import { type Data, DataType, type Field, type RecordBatch } from "apache-arrow";
import { type AppendValue, type JsonStyle, type LeafColumn, valueAppender } from "./value-json.js";

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const CLOSE_OBJECT = 0x7d;

/** A column of a batch or struct, or the values of its lists. */
type Column = LeafColumn;

/**
 * Returns a function that appends a row of a batch as an object with one member per column. Nulls become `null`, lists become
 * arrays, and structs become objects. A map becomes an array of objects with `key` and `value`.
 * @throws {SchemaError} `schema-mismatch` (`duplicate-column`).
 * @throws {UnsupportedError} `unsupported` (`column-type`).
 * @throws {ConversionError} `out-of-range` (`int64`) for an unsigned integer beyond int64.
 */
export function rowAppender(batch: RecordBatch, style: JsonStyle): (row: number) => void {
  const listed = toListColumns(batch);
  const fields = batch.schema.fields.map(({ name, type }, index) => {
    const field = listed.schema.fields[index]!;
    const elements = columnElements(listed.data.children[index] as Data);
    return { name, column: { path: name, elements, stored: type as DataType, owners: [field] } };
  });
  const append = objectAppender(fields, style);
  return (row) => append(row, row);
}

interface NamedColumn {
  readonly name: string;
  readonly column: Column;
}

function objectAppender(fields: readonly NamedColumn[], style: JsonStyle): AppendValue {
  const { json } = style;
  const seen = new Set<string>();
  for (const { name, column } of fields) {
    if (seen.has(name)) throw duplicateColumn(column.path);
    seen.add(name);
  }
  const encoder = new TextEncoder();
  const names = fields.map(({ name }, index) => {
    return encoder.encode(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  });
  const appenders = fields.map(({ column }) => fieldAppender(column, style));
  return (index, row) => {
    if (appenders.length === 0) json.appendAscii("{");
    for (let at = 0; at < appenders.length; at++) {
      json.append(names[at]!);
      appenders[at]!(index, row);
    }
    json.appendByte(CLOSE_OBJECT);
  };
}

/** Returns a function that appends a field. A flat column arrives in list form: as lists of one item. */
function fieldAppender(column: Column, style: JsonStyle): AppendValue {
  const { stored, elements } = column;
  if (isNested(stored)) return itemAppender(column, style);
  const { rowSplits, elements: values } = listElements(elements);
  const append = valueAppender({ ...column, elements: values }, style);
  return unlessNull(elements, style, (index, row) => append(rowSplits[index]!, row));
}

function itemAppender(column: Column, style: JsonStyle): AppendValue {
  const { stored, elements } = column;
  const append = DataType.isStruct(stored)
    ? structAppender(column, stored.children, style)
    : isListType(stored) || DataType.isMap(stored)
      ? listAppender(column, stored.children[0]!.type as DataType, style)
      : valueAppender(column, style);
  return unlessNull(elements, style, append);
}

function structAppender(column: Column, stored: readonly Field[], style: JsonStyle): AppendValue {
  const { path, elements } = column;
  const listed = elements.data.type.children as readonly Field[];
  const fields = listed.map((field, index) => ({
    name: field.name,
    column: {
      path: `${path}.${field.name}`,
      elements: fieldElements(elements, field.name),
      stored: stored[index]!.type as DataType,
      owners: [field],
    },
  }));
  return objectAppender(fields, style);
}

function listAppender(column: Column, stored: DataType, style: JsonStyle): AppendValue {
  const { json } = style;
  const { rowSplits, elements } = listElements(column.elements);
  const append = itemAppender({ ...column, elements, stored }, style);
  const isNull = nullMask(elements);
  const unwraps = style.unwrapSingle && !isListType(stored);
  return (index, row) => {
    const start = rowSplits[index]!;
    const end = rowSplits[index + 1]!;
    if (unwraps && end - start === 1 && isNull?.[start] !== 1) return append(start, row);
    json.appendByte(OPEN_LIST);
    for (let at = start; at < end; at++) {
      if (at > start) json.appendByte(COMMA);
      append(at, row);
    }
    json.appendByte(CLOSE_LIST);
  };
}

function unlessNull(elements: ColumnElements, { json }: JsonStyle, append: AppendValue): AppendValue {
  const isNull = DataType.isNull(elements.data.type) ? undefined : nullMask(elements);
  if (isNull === undefined) return append;
  return (index, row) => {
    if (isNull[index] === 1) json.appendAscii("null");
    else append(index, row);
  };
}

function isNested(type: DataType): boolean {
  return DataType.isStruct(type) || isListType(type) || DataType.isMap(type);
}

function duplicateColumn(columnPath: string): SchemaError {
  const message = `Two columns are named "${columnPath}", but the keys of an object must be unique.`;
  return new SchemaError("schema-mismatch", message, { reason: "duplicate-column", columnPath });
}
