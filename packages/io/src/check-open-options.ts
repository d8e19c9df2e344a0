import { assertArgument, assertKnownOptions, invalidArgument } from "./check-argument.js";
import type { TfxioOptions } from "./open-options.js";

const OPTION_NAMES = [
  "schema",
  "inferSchema",
  "format",
  "formats",
  "formatOptions",
  "columns",
  "rawRecordColumn",
  "representationGroup",
  "adapter",
  "limits",
  "signal",
] as const satisfies readonly (keyof TfxioOptions)[];

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
  assertArgument("formatOptions", options.formatOptions, "object");
  assertArgument("limits", options.limits, "object");
  assertArgument("rawRecordColumn", options.rawRecordColumn, "string");
  assertArgument("representationGroup", options.representationGroup, "string");
  assertArgument("adapter", options.adapter, "function");
  assertArgument("signal", options.signal, "signal");
}

function isSchema(value: unknown): boolean {
  return (value as { $typeName?: unknown } | null)?.$typeName === "tensorflow.metadata.v0.Schema";
}

function isColumn(value: unknown): boolean {
  return typeof value === "string" || Array.isArray((value as { steps?: unknown } | null)?.steps);
}

function has(value: unknown, method: string): boolean {
  return typeof (value as Record<string, unknown> | null)?.[method] === "function";
}
