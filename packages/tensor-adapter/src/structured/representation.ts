import { ArgumentError, SchemaError } from "@tfxio/wire";
import { aListOfNames, assertOptions, describeValue, oneOf, required } from "@tfxio/wire/checks";

/**
 * Represents columns as one tensor with named fields. Structs in columns become nested structured tensors. RFC 162 lists this
 * representation, but TFMD's `TensorRepresentation` has no field for it. It is therefore stored as JSON next to a schema.
 * @see RFC 162, "StructuredTensor"
 */
export interface StructuredTensorRepresentation {
  /** Top-level columns that become fields of the same name. At least one. */
  readonly columnNames: readonly string[];
  /** Like `row_partition_dtype` of ragged tensors. Default int64. */
  readonly rowPartitionDtype?: "int32" | "int64" | undefined;
}

/** The JSON form of {@link StructuredTensorRepresentation}, in the style of a protobuf message. */
export interface StructuredTensorJson {
  readonly structuredTensor: {
    readonly columnNames: readonly string[];
    readonly rowPartitionDtype?: "INT32" | "INT64";
  };
}

/**
 * Returns the JSON form, such as `{ "structuredTensor": { "columnNames": ["user", "clicks"], "rowPartitionDtype": "INT32" } }`.
 * @throws {ArgumentError} `invalid-argument` for an invalid representation.
 */
export function structuredTensorToJson(representation: StructuredTensorRepresentation): StructuredTensorJson {
  assertStructuredTensor(representation);
  const { columnNames, rowPartitionDtype } = representation;
  const splits = rowPartitionDtype === "int32" ? "INT32" : "INT64";
  return {
    structuredTensor: {
      columnNames: [...columnNames],
      ...(rowPartitionDtype !== undefined && { rowPartitionDtype: splits }),
    },
  };
}

/**
 * Checks a representation.
 * @throws {ArgumentError} `invalid-argument`, for example if it has no columns, or the same column twice.
 */
export function assertStructuredTensor(representation: StructuredTensorRepresentation): void {
  assertOptions("structuredTensor", representation, {
    columnNames: required(aListOfNames),
    rowPartitionDtype: oneOf("int32", "int64"),
  });
  const { columnNames } = representation;
  const problem = problemOf(columnNames);
  if (problem !== undefined) {
    throw new ArgumentError("invalid-argument", `${problem}.`, { argument: "columnNames" });
  }
}

/**
 * Parses the JSON form that {@link structuredTensorToJson} returns.
 * @throws {SchemaError} `schema-invalid` (`structured-tensor`) for any other value.
 */
export function structuredTensorFromJson(json: unknown): StructuredTensorRepresentation {
  const { structuredTensor } = objectWith("the JSON value", json, ["structuredTensor"]);
  const { columnNames, rowPartitionDtype } = objectWith("structuredTensor", structuredTensor, [
    "columnNames",
    "rowPartitionDtype",
  ]);
  const isNames = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((name) => typeof name === "string");
  if (!isNames(columnNames)) throw invalid("columnNames must be a list of names");
  const problem = problemOf(columnNames);
  if (problem !== undefined) throw invalid(problem);
  switch (rowPartitionDtype) {
    case undefined:
      return { columnNames };
    case "INT32":
      return { columnNames, rowPartitionDtype: "int32" };
    case "INT64":
      return { columnNames, rowPartitionDtype: "int64" };
    default:
      throw invalid(`rowPartitionDtype must be INT32 or INT64, found ${describeValue(rowPartitionDtype)}`);
  }
}

function problemOf(columnNames: readonly string[]): string | undefined {
  if (columnNames.length === 0) return "columnNames must have at least one name";
  const seen = new Set<string>();
  for (const name of columnNames) {
    if (seen.has(name)) return `columnNames must be unique, found "${name}" twice`;
    seen.add(name);
  }
  return undefined;
}

function objectWith(
  place: string,
  json: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null)
    throw invalid(`${place} must be an object with ${known[0]}, found ${describeValue(json)}`);
  const unknown = Object.keys(json).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalid(`unknown field "${unknown}", expected ${known.join(", ")}`);
  return json as Readonly<Record<string, unknown>>;
}

function invalid(problem: string): SchemaError {
  return new SchemaError("schema-invalid", `Malformed structured tensor: ${problem}.`, {
    reason: "structured-tensor",
  });
}
