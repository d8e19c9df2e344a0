import { isBytesType, isListType } from "@tfxio/arrow-encoding";
import type { DType } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError, UnsupportedError } from "@tfxio/wire";
import { DataType, type Field, Precision, type Schema as ArrowSchema } from "apache-arrow";
import type { ArrowDatasetOptions } from "./options.js";

/** A column of an Arrow dataset. */
export interface SelectedColumn {
  /** Position among the columns of the record batches. */
  readonly index: number;
  readonly name: string;
  readonly dtype: DType;
  readonly isList: boolean;
}

/**
 * The columns that options select.
 * @throws {ArgumentError} `invalid-argument` for an index or name that the schema lacks, a name that it has twice, and
 *   another number of output types than columns.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a type that makes no tensor, naming the column.
 * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for a column of another dtype than its output type.
 */
export function selectColumns(
  { fields }: ArrowSchema,
  { columns, outputTypes }: ArrowDatasetOptions,
): readonly SelectedColumn[] {
  const indices = columns?.map((column) => indexOf(fields, column)) ?? [...fields.keys()];
  if (outputTypes !== undefined && outputTypes.length !== indices.length) {
    throw new ArgumentError(
      "invalid-argument",
      `outputTypes has ${outputTypes.length} types, expected ${indices.length}, one for each column`,
      { argument: "outputTypes" },
    );
  }
  return indices.map((index, position) => {
    const field = fields[index] as Field;
    const column = columnOf(field, index);
    const expected = outputTypes?.[position];
    if (expected === undefined || expected === column.dtype) return column;
    throw new SchemaError(
      "schema-mismatch",
      `column "${field.name}" is ${column.dtype}, expected ${expected} as outputTypes says`,
      { reason: "type-mismatch", columnPath: field.name, expected, actual: column.dtype },
    );
  });
}

function indexOf(fields: readonly Field[], column: number | string): number {
  if (typeof column === "number") {
    if (column < fields.length) return column;
    throw noColumn(`there is no column ${column}; the schema has ${fields.length}`);
  }
  const found = fields.flatMap(({ name }, index) => (name === column ? [index] : []));
  if (found.length === 1) return found[0] as number;
  const names = fields.map(({ name }) => name).join(", ");
  throw noColumn(
    found.length === 0
      ? `there is no column "${column}"; the schema has ${names}`
      : `${found.length} columns are called "${column}": give the index of one`,
  );
}

function noColumn(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", `columns: ${message}`, { argument: "columns" });
}

function columnOf({ name, type }: Field, index: number): SelectedColumn {
  const isList = isListType(type as DataType);
  const dtype = dtypeOf((isList ? (type as { valueType: DataType }).valueType : type) as DataType);
  if (dtype !== undefined) return { index, name, dtype, isList };
  throw new UnsupportedError(
    `Column "${name}" is ${type}, expected numbers, booleans, text, bytes, or lists of them.`,
    { feature: String(type), reason: "column-type" },
  );
}

/** The dtype of flat values; undefined for types that make no tensor. Values of half precision are read as float32. */
function dtypeOf(type: DataType): DType | undefined {
  if (DataType.isDictionary(type)) return dtypeOf(type.dictionary as DataType);
  if (DataType.isBool(type)) return "bool";
  if (isBytesType(type)) return "string";
  if (DataType.isInt(type)) return `${type.isSigned ? "int" : "uint"}${type.bitWidth}` as DType;
  if (DataType.isFloat(type)) return type.precision === Precision.DOUBLE ? "float64" : "float32";
  return undefined;
}
