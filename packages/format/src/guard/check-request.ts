import { assertPredicate } from "@tfxio/schema/predicates";
import { ArgumentError, assertOptions, UnsupportedError } from "@tfxio/wire";
import { assertPositiveInteger } from "./check-limits.js";
import type { FormatReads, PlanRequest, ReadRequest } from "../read-request.js";

/** Rows per batch when nothing is said: large enough to hide per-batch cost, small enough to stay in cache. */
const DEFAULT_BATCH_SIZE = 4096;

/** Each field of a request, and the member of {@link FormatReads} that declares it; null: every format honours it. */
const DECLARED_BY = {
  columns: null,
  schema: null,
  unlisted: null,
  batchSize: null,
  batchBytes: "batchBytes",
  rawRecordColumn: "rawRecordColumn",
  rowPositionColumn: "rowPositionColumn",
  filter: "filter",
  splitBytes: "subdivide",
  isSample: null,
  signal: null,
} as const satisfies Record<keyof ReadRequest, keyof FormatReads | null>;

/** A format, as far as requests are checked against it. */
export interface RequestTaker {
  readonly id: string;
  readonly reads: FormatReads;
}

/**
 * @throws {ArgumentError} `invalid-argument` naming the field whose value cannot be used.
 * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a field that the format does not declare.
 */
export function resolveRequest(request: ReadRequest, { id, reads }: RequestTaker): PlanRequest {
  assertOptions(request, Object.keys(DECLARED_BY), "plan");
  for (const [field, member] of Object.entries(DECLARED_BY)) {
    if (member === null || request[field as keyof ReadRequest] === undefined) continue;
    if (reads[member] === undefined) throw undeclared(id, field);
  }
  const { batchSize = DEFAULT_BATCH_SIZE, columns, unlisted, schema, filter } = request;
  assertPositiveInteger(batchSize, "batchSize");
  for (const field of ["batchBytes", "splitBytes"] as const) {
    const value = request[field];
    if (value !== undefined) assertPositiveInteger(value, field);
  }
  if (columns !== undefined) assertColumns(columns);
  for (const field of ["rawRecordColumn", "rowPositionColumn"] as const) {
    const name: unknown = request[field];
    if (name !== undefined && (typeof name !== "string" || name === "")) {
      throw invalid(field, "is the name of a column", name);
    }
  }
  if (unlisted !== undefined) {
    if (unlisted !== "drop" && unlisted !== "error")
      throw invalid("unlisted", 'is "drop" or "error"', unlisted);
    if (schema === undefined) throw invalid("unlisted", "needs a schema", unlisted);
  }
  if (filter !== undefined) assertPredicate(filter);
  return { ...request, batchSize };
}

/** What a format answers to a field or option that it does not declare. */
export function undeclared(id: string, field: string): UnsupportedError {
  return new UnsupportedError(`The format ${id} does not support ${field}.`, {
    feature: field,
    reason: "undeclared-request",
  });
}

/** The error for an argument that cannot be used; `rule` follows its name. */
export function invalid(argument: string, rule: string, found: unknown): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument} ${rule}, found ${String(found)}`, { argument });
}

function assertColumns(columns: NonNullable<ReadRequest["columns"]>): void {
  if (!Array.isArray(columns)) throw invalid("columns", "is a list of column paths", columns);
  const seen = new Set<string>();
  for (const path of columns) {
    if (!Array.isArray(path?.steps)) {
      throw invalid("columns", "holds column paths, as ColumnPath.of makes them", path);
    }
    const key = String(path);
    if (seen.has(key)) {
      throw new ArgumentError("invalid-argument", `columns names "${key}" twice`, { argument: "columns" });
    }
    seen.add(key);
  }
}
