import type { JsonObject } from "@bufbuild/protobuf";
import { describeValue, isObject } from "@tfxio/wire/checks";
import type { SqlRow, SqlValue } from "../drivers/driver.js";
import type { PropertyType } from "../names.js";
import { anyFromText, anyToText, isStructText, structFromText, structToText } from "./message-values.js";
import { assertText, corruptProperty, type ProtoValue, unstorable } from "./value-errors.js";

/**
 * The value of a property. A bigint is INT, a number is DOUBLE, a string is STRING, a boolean is BOOLEAN, an object with
 * `struct` is STRUCT, and an object with `proto` is PROTO. A number that is a safe integer is also accepted for a property
 * declared as INT; it is read back as a bigint.
 */
export type PropertyValue =
  | bigint
  | number
  | string
  | boolean
  | { readonly struct: JsonObject }
  | { readonly proto: ProtoValue };

/** Properties by name. */
export type Properties = Readonly<Record<string, PropertyValue>>;

/** The value columns of a property row, except `byte_value`, which is never set. Exactly one of them is not null. */
const VALUE_COLUMNS = ["int_value", "double_value", "string_value", "proto_value", "bool_value"] as const;
export type ValueColumn = (typeof VALUE_COLUMNS)[number];

/** A property value in its stored form. */
export interface StoredValue {
  readonly type: PropertyType;
  readonly column: ValueColumn;
  readonly value: SqlValue;
}

/**
 * Returns the stored form of a value: its type, its column and the content of that column.
 * @param place Name of the property for error messages, such as `properties.span`.
 * @param declared The declared type of the property; undefined for a custom property.
 * @throws {ArgumentError} `invalid-argument` (`property-value`) for a value that is not a {@link PropertyValue}. Also for a
 * value that cannot be stored or that ML Metadata's client would misread: text that contains NUL or a lone surrogate, equals
 * `__MLMD_NULL__` or begins with `mlmd-struct::`; a number that is not finite; an integer beyond int64; a `struct` or `proto`
 * that cannot be encoded.
 */
export function storedValue(place: string, value: PropertyValue, declared?: PropertyType): StoredValue {
  switch (typeof value) {
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) throw unstorable(place, "a signed 64-bit integer", `${value}`);
      return { type: "INT", column: "int_value", value };
    case "number":
      if (declared === "INT" && Number.isSafeInteger(value)) return storedValue(place, BigInt(value));
      if (!Number.isFinite(value)) throw unstorable(place, "a finite number", `${value}`);
      return { type: "DOUBLE", column: "double_value", value };
    case "boolean":
      return { type: "BOOLEAN", column: "bool_value", value: value ? 1n : 0n };
    case "string":
      assertText(place, value);
      if (isStructText(value) || value === "__MLMD_NULL__") {
        throw unstorable(
          place,
          'text other than "__MLMD_NULL__" and without the prefix "mlmd-struct::", both reserved by ML Metadata',
          JSON.stringify(value),
        );
      }
      return { type: "STRING", column: "string_value", value };
    default:
      if (isObject(value)) {
        const { struct, proto } = value as { readonly struct?: JsonObject; readonly proto?: ProtoValue };
        if (isObject(struct)) {
          return { type: "STRUCT", column: "string_value", value: structToText(place, struct) };
        }
        if (isObject(proto)) return { type: "PROTO", column: "proto_value", value: anyToText(place, proto) };
      }
      throw unstorable(
        place,
        "a bigint, number, string, boolean, { struct } or { proto }",
        describeValue(value),
      );
  }
}

/**
 * Returns the value of a property row.
 * @throws {RecordError} `corrupt-record` (`property-value`) unless exactly one value column is set and its value fits the column.
 */
export function propertyValue(row: SqlRow, place: string): PropertyValue {
  const found = ([...VALUE_COLUMNS, "byte_value"] as const).filter((name) => row[name] !== null);
  const [column] = found;
  if (found.length !== 1 || column === undefined || column === "byte_value") {
    throw corruptProperty(
      place,
      "a value in exactly one column other than byte_value, " +
        `found ${found.length === 0 ? "no value" : `a value in ${found.join(" and ")}`}`,
    );
  }
  const value = row[column] as SqlValue;
  switch (column) {
    case "int_value":
      if (typeof value === "bigint") return value;
      break;
    case "double_value":
      if (typeof value === "number" || typeof value === "bigint") return Number(value);
      break;
    case "bool_value":
      if (value === 0n || value === 1n) return value === 1n;
      break;
    case "string_value":
      if (typeof value === "string")
        return isStructText(value) ? { struct: structFromText(place, value) } : value;
      break;
    case "proto_value":
      return { proto: anyFromText(place, typeof value === "string" ? value : textOf(value)) };
  }
  throw corruptProperty(place, `a value that is valid for column ${column}`);
}

function textOf(value: SqlValue): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}
