import { isBytesType, isListType } from "@tfxio/arrow-encoding";
import type { DType } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError, UnsupportedError } from "@tfxio/wire";
import { DataType, type Field, Precision, type Schema as ArrowSchema } from "apache-arrow";
import type { ArrowDatasetOptions } from "./options.js";

/** A column that the options of an Arrow dataset select. */
export interface SelectedColumn {
  /** Position among the columns of the record batches, from 0. */
  readonly index: number;
  readonly name: string;
  /** The dtype of flat values, or of the values in lists. */
  readonly dtype: DType;
  readonly isList: boolean;
  /** Number of values in every list, if `outputShapes` fixes it. */
  readonly listLength: number | undefined;
}

/**
 * Returns the columns that the options select, in order.
 * @throws {ArgumentError} `invalid-argument` for an unknown index or name, for an ambiguous name, and if
 *   `outputTypes` or `outputShapes` does not have one entry per column.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a type without a tensor equivalent. The error names the column.
 * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for a column whose dtype differs from its output type, and for lists
 *   where the output shape requires flat values, or the reverse.
 */
export function selectColumns(
  { fields }: ArrowSchema,
  { columns, outputTypes, outputShapes }: ArrowDatasetOptions,
): readonly SelectedColumn[] {
  const indices = columns?.map((column) => indexOf(fields, column)) ?? [...fields.keys()];
  assertOneForEach("outputTypes", outputTypes, indices.length);
  assertOneForEach("outputShapes", outputShapes, indices.length);
  return indices.map((index, position) => {
    const column = columnOf(fields[index] as Field, index);
    const type = outputTypes?.[position];
    if (type !== undefined && type !== column.dtype) {
      throw mismatch(column, column.dtype, type, "outputTypes");
    }
    const shape = outputShapes?.[position];
    if (shape === undefined) return column;
    if (shape.length !== (column.isList ? 1 : 0)) {
      const actual = column.isList ? "a list in each row" : "one value in each row";
      throw mismatch(column, actual, `rows of shape [${shape.map(String).join()}]`, "outputShapes");
    }
    return { ...column, listLength: shape[0] ?? undefined };
  });
}

function assertOneForEach(argument: string, given: readonly unknown[] | undefined, numColumns: number): void {
  if (given === undefined || given.length === numColumns) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument} must have as many entries as there are selected columns (${numColumns}), found ${given.length}.`,
    { argument },
  );
}

function mismatch({ name }: SelectedColumn, actual: string, expected: string, argument: string): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `Column "${name}" holds ${actual}, but ${argument} requires ${expected}.`,
    { reason: "type-mismatch", columnPath: name, expected, actual },
  );
}

function indexOf(fields: readonly Field[], column: number | string): number {
  if (typeof column === "number") {
    if (column < fields.length) return column;
    throw noColumn(
      `found index ${column}, but an index must be below ${fields.length}, the number of columns`,
    );
  }
  const found = fields.flatMap(({ name }, index) => (name === column ? [index] : []));
  if (found.length === 1) return found[0] as number;
  const names = fields.map(({ name }) => name).join(", ");
  throw noColumn(
    found.length === 0
      ? `the Arrow schema has no column "${column}"; known columns: ${names || "none"}`
      : `the name "${column}" must be unique, but ${found.length} columns have it; give an index instead`,
  );
}

function noColumn(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", `columns: ${message}.`, { argument: "columns" });
}

function columnOf({ name, type }: Field, index: number): SelectedColumn {
  const isList = isListType(type as DataType);
  const dtype = dtypeOf((isList ? (type as { valueType: DataType }).valueType : type) as DataType);
  if (dtype !== undefined) return { index, name, dtype, isList, listLength: undefined };
  throw new UnsupportedError(
    `Column "${name}" is ${type}, but must hold numbers, booleans, text, bytes, or lists of these. Select other columns.`,
    { feature: String(type), reason: "column-type" },
  );
}

/** Returns the dtype of flat values, or undefined for types without a tensor equivalent. Half floats become float32. */
function dtypeOf(type: DataType): DType | undefined {
  if (DataType.isDictionary(type)) return dtypeOf(type.dictionary as DataType);
  if (DataType.isBool(type)) return "bool";
  if (isBytesType(type)) return "string";
  if (DataType.isInt(type)) return `${type.isSigned ? "int" : "uint"}${type.bitWidth}` as DType;
  if (DataType.isFloat(type)) return type.precision === Precision.DOUBLE ? "float64" : "float32";
  return undefined;
}
