import { SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, type Field, type RecordBatch } from "apache-arrow";
import { aRecordBatch } from "../argument-rules.js";
import { columnElements, nullMask } from "../column/column-access.js";
import { malformedColumn } from "../column/column-access-offsets.js";
import { fieldIndex } from "../column/field-index.js";
import { isListType, listColumn } from "../column/list-column.js";
import { mapAsList, mapAsListType } from "../list-form/map-as-list.js";
import { leafReader } from "./plain-leaf.js";
import type { PlainRow, PlainValue } from "./plain-value.js";

/**
 * Converts the rows of a batch to JSON-compatible objects, for inspection, tests and exchange. Copies all values.
 *
 * - Null is null and an empty list is `[]`. Lists are arrays, structs are objects, and maps are arrays of `{ key, value }`.
 * - Integers are numbers if they are safe integers, otherwise strings of their digits. Dates and times are integers in the unit
 *   of their column.
 * - NaN and infinities are `"NaN"`, `"Infinity"` and `"-Infinity"`. A float32 has the fewest digits that identify its value.
 * - Text and bytes are strings if they are valid UTF-8, otherwise `{ base64 }`. Decimals are strings.
 * - Bool is true or false, and so is Uint8 if its field has the metadata `tfxio.logical: bool`. Dictionaries are decoded.
 * @throws {SchemaError} `schema-mismatch` (`duplicate-column`) if two columns, or fields of a struct, have the same name.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions, intervals and view types.
 */
export function plainRows(batch: RecordBatch): PlainRow[] {
  assertArgument("batch", batch, aRecordBatch);
  const { fields } = batch.schema;
  const readRow = structReader(fields, batch.data.children, "");
  return Array.from({ length: batch.numRows }, (_, row) => readRow(row));
}

/** Reads one position of a column. Returns null where the column is null. */
type Reader<Value = PlainValue> = (index: number) => Value;

function readerOf(data: Data, owners: readonly Field[], path: string): Reader {
  const { type } = data;
  if (DataType.isNull(type)) return () => null;
  const read = presentReader(data, owners, path);
  const isNull = nullMask(columnElements(data));
  return isNull === undefined ? read : (index) => (isNull[index] === 1 ? null : read(index));
}

/** Creates a reader for positions that are not null. */
function presentReader(data: Data, owners: readonly Field[], path: string): Reader {
  const { type } = data;
  if (DataType.isStruct(type)) return structReader(type.children, data.children, `${path}.`);
  if (isListType(type) || DataType.isMap(type)) {
    const [item] = (DataType.isMap(type) ? mapAsListType(type) : type).children as [Field];
    return listReader(mapAsList(data), [...owners, item], path);
  }
  return DataType.isDictionary(type) ? dictionaryReader(data, owners, path) : leafReader(data, owners, path);
}

/** Creates a reader of objects. @param prefix Path of the struct and a dot, for errors; empty for rows. */
function structReader(fields: readonly Field[], children: readonly Data[], prefix: string): Reader<PlainRow> {
  const names = fields.map(({ name }) => name);
  const readers = fields.map((field, index) =>
    readerOf(children[index] as Data, [field], `${prefix}${field.name}`),
  );
  const twice = names.find((name, index) => fieldIndex(fields, name) !== index);
  if (twice !== undefined) throw duplicateColumn(`${prefix}${twice}`);
  return (row) => {
    const result: Record<string, PlainValue> = {};
    for (const [index, read] of readers.entries()) put(result, names[index] as string, read(row));
    return result;
  };
}

/** Sets an own property. A column may be called `__proto__`, and an assignment would then change the prototype. */
function put(target: Record<string, PlainValue>, name: string, value: PlainValue): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function listReader(data: Data, owners: readonly Field[], path: string): Reader {
  const { rowSplits, values } = listColumn(data);
  const read = readerOf(values, owners, path);
  return (row) => {
    const first = rowSplits[row] as number;
    const length = (rowSplits[row + 1] as number) - first;
    return Array.from({ length }, (_, index) => read(first + index));
  };
}

/** Creates a reader that converts each dictionary entry only once. */
function dictionaryReader(data: Data, owners: readonly Field[], path: string): Reader {
  const chunks: readonly Data[] = data.dictionary?.data ?? [];
  const entries = chunks.flatMap((chunk) => {
    const read = readerOf(chunk, owners, path);
    return Array.from({ length: chunk.length }, (_, index) => read(index));
  });
  const keys = data.values as ArrayLike<number | bigint>;
  return (index) => {
    const entry = entries[Number(keys[index])];
    if (entry !== undefined) return entry;
    throw malformedColumn(
      data.type,
      `key ${keys[index]} is outside the dictionary of ${entries.length} values`,
    );
  };
}

function duplicateColumn(columnPath: string): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `The columns of a row must have unique names, found two columns "${columnPath}".`,
    {
      reason: "duplicate-column",
      columnPath,
    },
  );
}
