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
  | "offsets"
  | "elements"
  | "transferable"
  | "ranges"
  | "block"
  | "limits"
  | "iterable"
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
const isArrayOf =
  (name: string) =>
  (value: unknown): boolean =>
    Object.prototype.toString.call(value) === `[object ${name}]`;
const isBytes = isArrayOf("Uint8Array");
const isRows = isArrayOf("Uint32Array");
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
  offsets: { text: "an Int32Array", holds: isArrayOf("Int32Array") },
  elements: {
    text: "what columnElements gives, or what leads on from there",
    holds: (value) => isData(partsOf(value)["data"]) && ArrayBuffer.isView(partsOf(value)["runs"]),
  },
  transferable: {
    text: "what toTransferable gave",
    holds: (value) =>
      Array.isArray(partsOf(partsOf(value)["layout"])["columns"]) && "buffers" in partsOf(value),
  },
  ranges: {
    text: "row ranges: a count, and source, start and end as Uint32Arrays",
    holds: (value) =>
      Number.isInteger(partsOf(value)["count"]) &&
      ["source", "start", "end"].every((key) => isRows(partsOf(value)[key])),
  },
  block: {
    text: "a RecordBlock or FramedWindow",
    holds: (value) =>
      isBytes(partsOf(value)["bytes"]) && Number.isInteger(partsOf(value)["firstRecordIndex"]),
  },
  limits: {
    text: "limits: numbers maxRows and maxBytes",
    holds: (value) =>
      typeof partsOf(value)["maxRows"] === "number" && typeof partsOf(value)["maxBytes"] === "number",
  },
  iterable: {
    text: "an iterable of RecordBatches",
    holds: (value) =>
      typeof value === "object" &&
      value !== null &&
      (Symbol.iterator in value || Symbol.asyncIterator in value),
  },
  rows: { text: "a Uint32Array of row numbers", holds: isRows },
  kernels: {
    text: "kernels, as @tfxio/wire/kernels gives them",
    holds: (value) => typeof partsOf(value)["exampleDecoder"] === "function",
  },
  object: {
    text: "an object",
    holds: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  },
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
