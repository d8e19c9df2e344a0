import { fieldIndex, isListType } from "@tfxio/arrow-encoding";
import type { Schema as ArrowSchema, DataType } from "apache-arrow";
import { dtypeOf } from "../host/dtype.js";
import type { ColumnDType } from "../host/host-column.js";
import { noHandler } from "./tensor-handler.js";

/** Returns the type of a top-level column. @throws {ConversionError} `not-convertible` (`no-handler`) if it is missing. */
export function columnType(schema: ArrowSchema, name: string): DataType {
  const field = schema.fields[fieldIndex(schema.fields, name)];
  if (field === undefined) throw noHandler(`Unknown column "${name}".`, name);
  return field.type as DataType;
}

/**
 * Returns the dtype of the values in a top-level column with one level of lists of numbers or bytes.
 * @throws {ConversionError} `not-convertible` (`no-handler`) for any other column.
 */
export function listDType(schema: ArrowSchema, columnName: string): ColumnDType {
  const type = columnType(schema, columnName);
  const dtype = isListType(type) ? dtypeOf(type.valueType as DataType) : undefined;
  if (dtype === undefined) {
    throw noHandler(
      `Expected a list of numbers or bytes in column "${columnName}", found ${type}.`,
      columnName,
    );
  }
  return dtype;
}
