import { UnsupportedError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import {
  Binary,
  DataType,
  Field,
  Float32,
  Int64,
  List,
  Precision,
  Schema as ArrowSchema,
  Struct,
  Uint8,
} from "apache-arrow";
import { anArrowSchema } from "../argument-rules.js";
import { isListType } from "../column/list-column.js";
import { listFormMetadata } from "./logical-metadata.js";
import { mapAsListType } from "./map-as-list.js";
import { isLogicalBool, LOGICAL_KEY, valueKind } from "./value-kind.js";

const knownSchemas = new WeakMap<ArrowSchema, ArrowSchema>();

/**
 * Returns the Arrow schema that {@link toListColumns} gives to batches of `schema`, or `schema` itself if it is in list form.
 * Repeated calls return the same object, so batches of one file share it.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions, intervals and view types.
 */
export function listColumnsSchema(schema: ArrowSchema): ArrowSchema {
  assertArgument("schema", schema, anArrowSchema);
  const known = knownSchemas.get(schema);
  if (known !== undefined) return known;
  const fields = schema.fields.map((field) => listField(field, field.name));
  const isSame = fields.every((field, index) => field === schema.fields[index]);
  const result = isSame ? schema : new ArrowSchema(fields, schema.metadata);
  knownSchemas.set(schema, result);
  return result;
}

/** Returns the list form of a column or struct field, or the field itself if it is already in list form. */
function listField(field: Field, path: string): Field {
  const { type } = field;
  const listed = columnType(type, [field], path);
  if (listed === type) return field;
  return new Field(field.name, listed, true, listFormMetadata(field, innermost(type)));
}

/** Returns the list form of a column's type. Flat values become lists of one. */
function columnType(type: DataType, owners: readonly Field[], path: string): DataType {
  if (DataType.isStruct(type)) return structType(type, path);
  if (isListType(type) || DataType.isMap(type)) return listType(type, owners, path);
  return listOf(leafType(type, owners, path));
}

function listType(type: DataType, owners: readonly Field[], path: string): DataType {
  const [item] = (DataType.isMap(type) ? mapAsListType(type) : type).children as [Field];
  const inner = itemType(item.type, [...owners, item], path);
  return DataType.isList(type) && inner === item.type ? type : listOf(inner, item);
}

/** Returns the list form of a list item's type. Unlike in a column, flat values stay flat. */
function itemType(type: DataType, owners: readonly Field[], path: string): DataType {
  if (DataType.isStruct(type)) return structType(type, path);
  if (isListType(type) || DataType.isMap(type)) return listType(type, owners, path);
  return leafType(type, owners, path);
}

function structType(type: Struct, path: string): DataType {
  const fields = type.children.map((field) => listField(field, `${path}.${field.name}`));
  return fields.every((field, index) => field === type.children[index]) ? type : new Struct(fields);
}

/** Returns the list-form type of values other than lists, structs and maps. `owners` are the fields that enclose the values. */
export function leafType(type: DataType, owners: readonly Field[], path: string): DataType {
  if (DataType.isDictionary(type)) return leafType(type.dictionary as DataType, owners, path);
  if (DataType.isNull(type) || isLogicalBool(type, owners)) return type;
  switch (valueKind(type, owners)) {
    case "boolean":
      return new Uint8();
    case "bytes":
      return DataType.isBinary(type) ? type : new Binary();
    case "number":
      if (DataType.isFloat(type)) return type.precision === Precision.HALF ? new Float32() : type;
      return DataType.isInt(type) && type.isSigned && type.bitWidth === 64 ? type : new Int64();
    default:
      throw new UnsupportedError(
        `Column "${path}" must hold numbers, text, bytes, booleans, dates, times or decimals, or dictionaries, lists, structs ` +
          `or maps of them, found ${type}.`,
        { reason: "column-type", feature: `list columns of ${type}` },
      );
  }
}

/** Returns a list type. @param item The item of the original list, whose logical type is kept. */
function listOf(type: DataType, item?: Field): List {
  const logical = item?.metadata.get(LOGICAL_KEY);
  return new List(
    new Field("item", type, true, new Map(logical === undefined ? [] : [[LOGICAL_KEY, logical]])),
  );
}

function innermost(type: DataType): DataType {
  if (isListType(type)) return innermost(type.valueType);
  return type;
}
