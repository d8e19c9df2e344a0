import { DataType, type Field } from "apache-arrow";
import { isBytesType } from "../column/column-access-values.js";

/** What values are compared with, hashed as and shown as, however a column stores them. */
export type ValueKind = "number" | "bytes" | "boolean" | "null";

/** Field metadata: what a column in list form was before, as `bool`, `date` or `decimal`. */
export const LOGICAL_KEY = "tfxio.logical";

/**
 * The kind of the values of a column of this type, which is no list and no struct; of those in its dictionary for a
 * dictionary column. Dates and times are numbers, in their unit; decimals are bytes, their text.
 * @param owners fields around the values, of which one says in its metadata that Uint8 stands for booleans.
 * @returns undefined for lists, structs, maps, unions, intervals and views.
 */
export function valueKind(type: DataType, owners: readonly Field[]): ValueKind | undefined {
  if (DataType.isDictionary(type)) return valueKind(type.dictionary as DataType, owners);
  if (DataType.isNull(type)) return "null";
  if (DataType.isBool(type) || isLogicalBool(type, owners)) return "boolean";
  if (isBytesType(type) || DataType.isFixedSizeBinary(type) || DataType.isDecimal(type)) return "bytes";
  return DataType.isInt(type) || DataType.isFloat(type) || isTemporal(type) ? "number" : undefined;
}

/** True for Uint8 under a field whose metadata says that it holds booleans. */
export function isLogicalBool(type: DataType, owners: readonly Field[]): boolean {
  const isUint8 = DataType.isInt(type) && type.bitWidth === 8 && !type.isSigned;
  return isUint8 && owners.some((field) => field.metadata.get(LOGICAL_KEY) === "bool");
}

/** True for dates, times, timestamps and durations: integers with a unit. */
export function isTemporal(type: DataType): boolean {
  return (
    DataType.isDate(type) || DataType.isTime(type) || DataType.isTimestamp(type) || DataType.isDuration(type)
  );
}
