import { ArgumentError } from "@tfxio/wire";

type KindName =
  | "batch"
  | "batches"
  | "arrow-schema"
  | "column"
  | "type"
  | "schema"
  | "path"
  | "paths"
  | "name"
  | "boolean"
  | "bytes"
  | "records"
  | "rows"
  | "kernels"
  | "object";

interface Kind {
  readonly text: string;
  readonly holds: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isBatch = (value: unknown): boolean => {
  const { schema, data, numRows } = partsOf(value);
  return Array.isArray(partsOf(schema)["fields"]) && isData(data) && Number.isInteger(numRows);
};
const isData = (value: unknown): boolean => {
  const { type, children, length } = partsOf(value);
  return isType(type) && Array.isArray(children) && Number.isInteger(length);
};
const isType = (value: unknown): boolean => Number.isInteger(partsOf(value)["typeId"]);
const isPath = (value: unknown): boolean => Array.isArray(partsOf(value)["steps"]);
const isBytes = (value: unknown): boolean => Object.prototype.toString.call(value) === "[object Uint8Array]";
const listOf =
  (holds: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(holds);

/** What an argument has to be, by the name under which {@link assertArgument} checks it. */
const kinds: Readonly<Record<KindName, Kind>> = {
  batch: { text: "a RecordBatch", holds: isBatch },
  batches: { text: "a list of RecordBatches", holds: listOf(isBatch) },
  "arrow-schema": {
    text: "an Arrow Schema, as batch.schema is",
    holds: (value) => Array.isArray(partsOf(value)["fields"]),
  },
  column: { text: "the Data of a column, as batch.data.children[0] is", holds: isData },
  type: { text: "an Arrow DataType", holds: isType },
  schema: {
    text: "a Schema message, as parseSchemaText gives it",
    holds: (value) => partsOf(value)["$typeName"] === "tensorflow.metadata.v0.Schema",
  },
  path: { text: "a ColumnPath", holds: isPath },
  paths: { text: "a list of ColumnPaths", holds: listOf(isPath) },
  name: { text: "a name of at least one character", holds: isText },
  boolean: { text: "true or false", holds: (value) => typeof value === "boolean" },
  bytes: { text: "a Uint8Array", holds: isBytes },
  records: { text: "a list of Uint8Arrays", holds: listOf(isBytes) },
  rows: {
    text: "a Uint32Array of row numbers",
    holds: (value) => Object.prototype.toString.call(value) === "[object Uint32Array]",
  },
  kernels: {
    text: "kernels, as @tfxio/wire/kernels gives them",
    holds: (value) => typeof partsOf(value)["exampleDecoder"] === "function",
  },
  object: { text: "an object", holds: (value) => typeof value === "object" && value !== null },
};

/** @throws {ArgumentError} `invalid-argument` naming `argument` unless `value` is of that kind. */
export function assertArgument(argument: string, value: unknown, kind: KindName): void {
  if (!kinds[kind].holds(value)) throw unfit(argument, kinds[kind].text, value);
}

/** {@link assertArgument} for an option: undefined means its default. */
export function assertOption(argument: string, value: unknown, kind: KindName): void {
  if (value !== undefined) assertArgument(argument, value, kind);
}

/** @throws {ArgumentError} `invalid-argument` naming the option unless `value` is one of `choices`, or undefined. */
export function assertChoice(argument: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value as string)) return;
  throw unfit(argument, choices.map((choice) => `"${choice}"`).join(" or "), value);
}

/** The error for an argument that cannot be used. */
export function unfit(argument: string, expected: string, value: unknown): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument} is ${expected}, found ${show(value)}.`, {
    argument,
  });
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null)
    return typeof value === "function" ? "a function" : String(value);
  return Object.prototype.toString.call(value);
}
