import { ConversionError, SchemaError } from "@tfxio/wire";
import { type Data, DataType, type Field, Float32, type List, makeData } from "apache-arrow";
import { columnElements, listElements, nullMask } from "../column/column-access.js";
import { elementsData } from "../column/elements-data.js";
import { innermostType, isValueless } from "../array/flatten-nested.js";
import { fieldIndex } from "../column/field-index.js";
import { isListType } from "../column/list-column.js";
import { bitmapOf } from "../column/make-list.js";
import { nullColumn } from "../column/null-column.js";
import { convertLeaf, type Place } from "./convert-leaf.js";

/** The rules for unlisted columns and for float64 values. @see {@link ConformOptions} */
export interface ConformRules {
  readonly unlisted: "drop" | "error";
  readonly float64: "float32" | "float32-lossy";
}

/**
 * Converts a column in list form to the type of its feature. Borrows values that already have that type.
 * @throws {SchemaError} `schema-mismatch` (`wrong-kind`, `unlisted-feature`).
 * @throws {ConversionError} `out-of-range` (`float32-inexact`).
 */
export function conformColumn(data: Data, target: DataType, rules: ConformRules, place: Place): Data {
  const { type, length } = data;
  // In list form, a Null column is a `List<Null>` in which every row is null.
  const isNull = DataType.isNull(type) || (data.nullCount === length && DataType.isNull(innermostType(type)));
  if (isNull) return nullColumn(target, length);
  if (DataType.isStruct(target)) {
    if (!DataType.isStruct(type)) throw wrongKind(place, target, type);
    return conformStruct(data, target.children, target, rules, place);
  }
  if (DataType.isList(target)) {
    if (!isListType(type)) throw wrongKind(place, target, type);
    return conformLists(data, target, rules, place);
  }
  return conformValues(data, target, rules, place);
}

/**
 * Converts lists by converting their values. Lists of flat values keep their buffers if no value is converted and the lists cover
 * all stored values.
 */
function conformLists(data: Data, target: List, rules: ConformRules, place: Place): Data {
  const rows = columnElements(data);
  const { rowSplits, elements } = listElements(rows);
  const values = elementsData(elements);
  const child = conformColumn(values, target.valueType as DataType, rules, {
    columnPath: place.columnPath,
    rowOf: (index) => place.rowOf(rowSplits.findIndex((_, row) => index < (rowSplits[row + 1] as number))),
  });
  // The values are unchanged, but the list item may have a different name, so `clone` replaces the type.
  if (child === data.children[0]) return data.clone(target);
  const isNull = nullMask(rows);
  const nullCount = isNull?.reduce((sum, one) => sum + one, 0) ?? 0;
  const nullBitmap = isNull && bitmapOf(data.length, (row) => isNull[row] === 0);
  return makeData({
    type: target,
    length: data.length,
    valueOffsets: rowSplits,
    child,
    nullCount,
    nullBitmap,
  });
}

/** Converts a struct field by field, in the order of the target's fields. A missing field is null in every row. */
function conformStruct(
  data: Data,
  fields: readonly Field[],
  target: DataType,
  rules: ConformRules,
  place: Place,
): Data {
  const { children } = data.type as DataType & { readonly children: readonly Field[] };
  assertListed(children, fields, rules, `${place.columnPath}.`);
  const { nullable, length, runs } = columnElements(data);
  const conformed = fields.map(({ name, type }) => {
    const child = data.children[fieldIndex(children, name)];
    if (child === undefined) return nullColumn(type, length);
    const around = child.nullCount > 0 ? [...nullable, child] : nullable;
    const values = elementsData({ data: child, runs, length, nullable: around });
    return conformColumn(values, type, rules, { ...place, columnPath: `${place.columnPath}.${name}` });
  });
  return data.clone(target, data.offset, length, data.nullCount, data.buffers, conformed);
}

/**
 * Checks that the schema lists all fields in `found`, except fields of a type without values, such as Null. Does nothing if
 * `unlisted` is `"drop"`.
 * @param prefix Prefix of column paths in error messages: empty, or the path of the struct and a dot.
 * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`).
 */
export function assertListed(
  found: readonly Field[],
  listed: readonly Field[],
  { unlisted }: ConformRules,
  prefix: string,
): void {
  if (unlisted === "drop") return;
  const names = new Set(listed.map(({ name }) => name));
  const other = found.find(({ name, type }) => !names.has(name) && !isValueless(type));
  if (other === undefined) return;
  const columnPath = `${prefix}${other.name}`;
  throw new SchemaError("schema-mismatch", `Column "${columnPath}" is not in the schema.`, {
    reason: "unlisted-feature",
    columnPath,
    actual: String(other.type),
  });
}

/** Converts the innermost values of list form: int64, float32, float64, bytes, or booleans as Uint8. */
function conformValues(data: Data, target: DataType, { float64 }: ConformRules, place: Place): Data {
  const { type } = data;
  if (DataType.isInt(target)) {
    if (!DataType.isInt(type)) throw wrongKind(place, target, type);
    return type.bitWidth === 64 ? data : convertLeaf(data, target, place);
  }
  if (!DataType.isFloat(target)) {
    if (DataType.isBinary(type)) return data;
    throw wrongKind(place, target, type);
  }
  if (!DataType.isFloat(type)) throw wrongKind(place, target, type);
  if (type.precision === target.precision) return data;
  return toFloat32(data, float64, place);
}

/** Converts float64 to float32. Unless values may be rounded, throws for the first value that float32 cannot hold exactly. */
function toFloat32(data: Data, float64: ConformRules["float64"], place: Place): Data {
  const isExact = float64 === "float32";
  const { length, nullCount } = data;
  const doubles = data.values as Float64Array;
  const isNull = nullMask(columnElements(data));
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const value = doubles[i] as number;
    values[i] = value;
    // NaN is accepted, although it does not equal itself.
    if (!isExact || !(values[i] !== value) || Number.isNaN(value) || isNull?.[i] === 1) continue;
    const row = place.rowOf(i);
    throw new ConversionError(
      "out-of-range",
      `A float64 value must be exact in float32, found ${value} in column "${place.columnPath}", row ${row}; ` +
        'to round values, read the data with float64: "float32-lossy".',
      { reason: "float32-inexact", columnPath: place.columnPath, row },
    );
  }
  const nullBitmap = isNull && bitmapOf(length, (row) => isNull[row] === 0);
  return makeData({
    type: new Float32(),
    length,
    data: values,
    nullCount: Math.max(nullCount, 0),
    nullBitmap,
  });
}

function wrongKind({ columnPath }: Place, target: DataType, type: DataType): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `Column "${columnPath}" must hold ${target}, as its feature requires, found ${type}.`,
    {
      reason: "wrong-kind",
      columnPath,
      expected: String(target),
      actual: String(type),
    },
  );
}
