import { DataType, type Field } from "apache-arrow";
import { isBytesType } from "../column/column-access-values.js";

/**
 * The kind of a value, which determines how it is compared, hashed and shown. It does not depend on how a column stores the
 * value.
 */
export type ValueKind = "number" | "bytes" | "boolean" | "null";

/** Metadata key of a field in list form. Its value is the original type, such as `bool`, `date` or `decimal`. */
export const LOGICAL_KEY = "tfxio.logical";

/**
 * Returns the kind of a column's values. For a dictionary column, this is the kind of its entries. Dates and times are numbers in
 * their unit. Decimals are bytes, because they are compared as text.
 * @param owners The fields that enclose the values. Their metadata may declare Uint8 values as booleans.
 * @returns The kind, or undefined for lists, structs, maps, unions, intervals and views.
 */
export function valueKind(type: DataType, owners: readonly Field[]): ValueKind | undefined {
  if (DataType.isDictionary(type)) return valueKind(type.dictionary as DataType, owners);
  if (DataType.isNull(type)) return "null";
  if (DataType.isBool(type) || isLogicalBool(type, owners)) return "boolean";
  if (isBytesType(type) || DataType.isFixedSizeBinary(type) || DataType.isDecimal(type)) return "bytes";
  return DataType.isInt(type) || DataType.isFloat(type) || isTemporal(type) ? "number" : undefined;
}

/** Returns true for Uint8 if the metadata of an enclosing field declares booleans. */
export function isLogicalBool(type: DataType, owners: readonly Field[]): boolean {
  const isUint8 = DataType.isInt(type) && type.bitWidth === 8 && !type.isSigned;
  return isUint8 && owners.some((field) => field.metadata.get(LOGICAL_KEY) === "bool");
}

/** Returns true for dates, times, timestamps and durations, which are integers with a unit. */
export function isTemporal(type: DataType): boolean {
  return (
    DataType.isDate(type) || DataType.isTime(type) || DataType.isTimestamp(type) || DataType.isDuration(type)
  );
}
