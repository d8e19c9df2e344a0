import { ArgumentError, assertKnownKeys, assertOptions, type Position } from "@tfxio/wire";
import type { Limits, PlanRequest, ReadOptions, ReadRequest, Split } from "./format.js";
import { overlayOptions } from "./overlay-options.js";

/** Rows per batch when nothing is said: large enough to hide per-batch cost, small enough to stay in cache. */
const DEFAULT_BATCH_SIZE = 4096;
const DEFAULT_LIMITS: Limits = { maxRecordBytes: 2 ** 30 };
const REQUEST_KEYS = [
  "columns",
  "schema",
  "unlisted",
  "batchSize",
  "rawRecordColumn",
  "inferSchema",
  "kernels",
  "signal",
];
const READ_KEYS = ["from", "signal", "onProgress"];

/** @throws {ArgumentError} `invalid-argument` for an unknown limit, or one that is no positive integer. */
export function resolveLimits(given: Partial<Limits> | undefined): Limits {
  const limits = overlayOptions(DEFAULT_LIMITS, given, "limits");
  assertPositiveInteger(limits.maxRecordBytes, "maxRecordBytes");
  return limits;
}

/** @throws {ArgumentError} `invalid-argument` naming the key whose value cannot be used. */
export function resolveRequest(request: ReadRequest): PlanRequest {
  assertOptions(request, REQUEST_KEYS, "plan");
  const { batchSize = DEFAULT_BATCH_SIZE, columns, rawRecordColumn, inferSchema, schema } = request;
  const { unlisted, kernels } = request;
  assertPositiveInteger(batchSize, "batchSize");
  if (columns !== undefined) assertColumns(columns);
  if (rawRecordColumn !== undefined && (typeof rawRecordColumn !== "string" || rawRecordColumn === "")) {
    throw invalid("rawRecordColumn", "is the name of a column", rawRecordColumn);
  }
  if (unlisted !== undefined) {
    if (unlisted !== "drop" && unlisted !== "error")
      throw invalid("unlisted", 'is "drop" or "error"', unlisted);
    if (schema === undefined) throw invalid("unlisted", "needs a schema", unlisted);
  }
  if (kernels !== undefined && typeof kernels.exampleDecoder !== "function") {
    throw invalid("kernels", "is what @tfxio/wire/kernels gives", kernels);
  }
  if (inferSchema !== undefined) {
    assertInference(inferSchema);
    if (schema !== undefined) {
      throw new ArgumentError(
        "invalid-argument",
        "inferSchema and schema exclude each other: give one of them",
        {
          argument: "inferSchema",
        },
      );
    }
  }
  return { ...request, batchSize };
}

/** The options of a read, checked. @throws {ArgumentError} `invalid-argument`. */
export function assertReadOptions(options: ReadOptions): void {
  assertOptions(options, READ_KEYS, "read");
  if (options.from !== undefined) assertPosition(options.from);
}

/**
 * The plan's own split of the same index.
 * @throws {ArgumentError} `invalid-argument` (`unknown-split`) when the plan has none that equals it.
 */
export function findSplit(splits: readonly Split[], split: Split): Split {
  if (typeof split !== "object" || split === null) throw invalid("split", "is one of the plan's", split);
  const own = splits[split.index];
  if (own === undefined || own.uri !== split.uri || own.start !== split.start || own.end !== split.end) {
    throw new ArgumentError(
      "invalid-argument",
      `split ${split.index} of ${split.uri} is none of this plan's ${splits.length} splits`,
      { reason: "unknown-split", argument: "split" },
    );
  }
  return own;
}

function assertColumns(columns: NonNullable<ReadRequest["columns"]>): void {
  if (!Array.isArray(columns)) throw invalid("columns", "is a list of column paths", columns);
  const seen = new Set<string>();
  for (const path of columns) {
    if (!Array.isArray(path?.steps))
      throw invalid("columns", "holds column paths, as ColumnPath.of makes them", path);
    const key = String(path);
    if (seen.has(key)) {
      throw new ArgumentError("invalid-argument", `columns names "${key}" twice`, { argument: "columns" });
    }
    seen.add(key);
  }
}

function assertInference(inferSchema: NonNullable<ReadRequest["inferSchema"]>): void {
  if (inferSchema === "first" || inferSchema === "full") return;
  if (typeof inferSchema !== "object")
    throw invalid("inferSchema", 'is "first", "full" or { rows }', inferSchema);
  assertKnownKeys(inferSchema, ["rows"], "inferSchema");
  assertPositiveInteger(inferSchema.rows, "inferSchema.rows");
}

function assertPosition(position: Position): void {
  assertKnownKeys(position, ["row", "detail"], "from");
  const { row } = position;
  if (!(Number.isSafeInteger(row) && row >= 0)) throw invalid("from.row", "is an integer of 0 or more", row);
}

function assertPositiveInteger(value: number, argument: string): void {
  if (!(Number.isSafeInteger(value) && value >= 1))
    throw invalid(argument, "is an integer of 1 or more", value);
}

function invalid(argument: string, rule: string, found: unknown): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument} ${rule}, found ${String(found)}`, { argument });
}
