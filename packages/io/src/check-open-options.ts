import { assertPredicate } from "@tfxio/schema";
import {
  assertArgument,
  assertKnownOptions,
  assertPositiveInteger,
  invalidArgument,
  isColumn,
  show,
} from "./check-argument.js";
import type { TfxioOptions } from "./open-options.js";

const OPTION_NAMES = Object.keys({
  schema: true,
  inferSchema: true,
  unlisted: true,
  format: true,
  formats: true,
  formatOptions: true,
  columns: true,
  columnForm: true,
  float64: true,
  filter: true,
  batchBytes: true,
  splitBytes: true,
  rawRecordColumn: true,
  rowPositionColumn: true,
  stores: true,
  representationGroup: true,
  adapter: true,
  limits: true,
  signal: true,
} satisfies Record<keyof TfxioOptions, true>) as (keyof TfxioOptions)[];

/**
 * Checks what the compiler cannot check for those who do not use it; formats check their own options.
 * @throws {ArgumentError} `invalid-argument` naming the option.
 */
export function assertOpenOptions(options: TfxioOptions): void {
  assertKnownOptions(options, OPTION_NAMES, "openTfxio");
  const { schema, format, formats, columns } = options;
  if (schema !== undefined && !isSchema(schema)) {
    throw invalidArgument("schema", "must be a Schema message; parseSchemaText makes one of text");
  }
  if (format !== undefined && typeof format !== "string" && !has(format, "open")) {
    throw invalidArgument("format", "must be a format or the id of one");
  }
  if (formats !== undefined && !(has(formats, "get") && has(formats, "detect"))) {
    throw invalidArgument("formats", "must be a registry, as createFormatRegistry makes it");
  }
  if (columns !== undefined && !(Array.isArray(columns) && columns.every(isColumn))) {
    throw invalidArgument("columns", "must be a list of column names or paths");
  }
  assertInference(options);
  if (options.filter !== undefined && typeof options.filter !== "string") assertPredicate(options.filter);
  if (!["lists", "stored", undefined].includes(options.columnForm)) {
    throw invalidArgument("columnForm", `must be "lists" or "stored", not ${show(options.columnForm)}`);
  }
  if (!["float32", "float32-lossy", undefined].includes(options.float64)) {
    throw invalidArgument("float64", `must be "float32" or "float32-lossy", not ${show(options.float64)}`);
  }
  for (const name of ["batchBytes", "splitBytes"] as const) {
    const value = options[name];
    if (value !== undefined) assertPositiveInteger(name, value);
  }
  assertArgument("formatOptions", options.formatOptions, "object");
  assertArgument("limits", options.limits, "object");
  assertArgument("rawRecordColumn", options.rawRecordColumn, "string");
  assertArgument("rowPositionColumn", options.rowPositionColumn, "string");
  assertArgument("representationGroup", options.representationGroup, "string");
  assertArgument("adapter", options.adapter, "function");
  assertArgument("signal", options.signal, "signal");
}

function assertInference({ inferSchema, schema }: TfxioOptions): void {
  if (inferSchema === undefined) return;
  if (schema !== undefined)
    throw invalidArgument("inferSchema", "cannot be combined with schema: give one of them");
  if (inferSchema === "first" || inferSchema === "full") return;
  if (typeof inferSchema !== "object") {
    throw invalidArgument("inferSchema", `must be "first", "full" or { rows }, not ${show(inferSchema)}`);
  }
  assertKnownOptions(inferSchema, ["rows"], "inferSchema");
  assertPositiveInteger("inferSchema.rows", inferSchema.rows);
}

function isSchema(value: unknown): boolean {
  return (value as { $typeName?: unknown } | null)?.$typeName === "tensorflow.metadata.v0.Schema";
}

function has(value: unknown, method: string): boolean {
  return typeof (value as Record<string, unknown> | null)?.[method] === "function";
}
