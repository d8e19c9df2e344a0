import { SchemaError } from "@tfxio/wire";
import { type Data, DataType, Field, FixedSizeList, LargeList, List, Struct, util } from "apache-arrow";
import { fieldIndex } from "../column/field-index.js";
import { nullColumn } from "../column/null-column.js";
import { unsupportedType } from "../column/unsupported-type.js";

/**
 * Returns the type that can hold values of both types. Null merges with any type. Two lists of the same kind, and of the same
 * size if it is fixed, merge by the types of their values. Two structs merge into a struct with the fields of both, in order of
 * first occurrence. All fields of merged lists and structs are nullable.
 * @param path The column's path, for error messages.
 * @throws {SchemaError} `schema-mismatch` (`incompatible-type`) for any other pair of different types.
 */
export function mergeTypes(first: DataType, second: DataType, path: string): DataType {
  if (DataType.isNull(first)) return second;
  if (DataType.isNull(second)) return first;
  if (DataType.isStruct(first) && DataType.isStruct(second)) return mergeStructs(first, second, path);
  if (DataType.isList(first) && DataType.isList(second)) return new List(mergeItems(first, second, path));
  if (DataType.isLargeList(first) && DataType.isLargeList(second)) {
    return new LargeList(mergeItems(first, second, path));
  }
  if (DataType.isFixedSizeList(first) && DataType.isFixedSizeList(second)) {
    if (first.listSize === second.listSize) {
      return new FixedSizeList(first.listSize, mergeItems(first, second, path));
    }
  } else if (util.compareTypes(first, second)) return first;
  throw new SchemaError(
    "schema-mismatch",
    `Column "${path}" must have compatible types in all batches, found ${first} and ${second}.`,
    {
      reason: "incompatible-type",
      columnPath: path,
      expected: String(first),
      actual: String(second),
    },
  );
}

/** Merges the item fields of two lists. The result keeps the name of the first. */
function mergeItems(first: DataType, second: DataType, path: string): Field {
  const [a, b] = [first.children[0] as Field, second.children[0] as Field];
  return new Field(a.name, mergeTypes(a.type, b.type, path), true);
}

function mergeStructs(first: DataType, second: DataType, path: string): Struct {
  const types = new Map<string, DataType>();
  for (const { name, type } of [...first.children, ...second.children] as readonly Field[]) {
    const known = types.get(name);
    types.set(name, known === undefined ? type : mergeTypes(known, type, `${path}.${name}`));
  }
  return new Struct(Array.from(types, ([name, type]) => new Field(name, type, true)));
}

/**
 * Converts a column to `type`, which {@link mergeTypes} returned for the column's type. Missing fields and Null columns become
 * null in every row. Borrows the column.
 */
export function conformTo(type: DataType, data: Data): Data {
  if (DataType.isNull(data.type)) return nullColumn(type, data.length);
  if (type.children === null || type.children.length === 0) return data;
  // Arrow also accepts a Data in place of the list of its buffers, but the typings do not say so.
  const buffers = data as never;
  if (DataType.isStruct(type)) {
    const own: readonly Field[] = data.type.children;
    const children = (type.children as readonly Field[]).map((field) => {
      const child = data.children[fieldIndex(own, field.name)];
      return child === undefined ? nullColumn(field.type, data.length) : conformTo(field.type, child);
    });
    return data.clone(type, data.offset, data.length, data.nullCount, buffers, children);
  }
  const [values] = data.children;
  if (values === undefined || DataType.isUnion(type)) {
    throw unsupportedType("mergeBatches", type, "columns of flat values, lists or structs");
  }
  const child = conformTo((type.children[0] as Field).type, values);
  return data.clone(type, data.offset, data.length, data.nullCount, buffers, [child]);
}
