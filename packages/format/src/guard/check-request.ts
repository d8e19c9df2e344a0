import { assertPredicate } from "@tfxio/schema/predicates";
import { UnsupportedError } from "@tfxio/wire";
import {
  aBoolean,
  aListOf,
  aName,
  anAbortSignal,
  aPositiveInteger,
  assertOptions,
  membersOf,
  oneOf,
  type OptionRules,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { FormatReads, PlanRequest, ReadRequest } from "../read-request.js";

/** Default rows per batch: large enough to hide per-batch cost, small enough to stay in cache. */
const DEFAULT_BATCH_SIZE = 4096;

const aColumnPath = rule("a ColumnPath", (value) => Array.isArray(membersOf(value)["steps"]));

const REQUEST_RULES: OptionRules<ReadRequest> = {
  columns: aListOf("a list of ColumnPaths", aColumnPath),
  schema: null,
  isInferred: aBoolean,
  unlisted: oneOf("drop", "error"),
  batchSize: aPositiveInteger,
  columnForm: oneOf("stored", "lists"),
  batchBytes: aPositiveInteger,
  rawRecordColumn: aName,
  rowPositionColumn: aName,
  // Predicates are checked separately.
  filter: null,
  splitBytes: aPositiveInteger,
  isSample: aBoolean,
  signal: anAbortSignal,
};

/** Each field of a request, with the member of {@link FormatReads} that declares it. Null: every format honours it. */
const DECLARED_BY = {
  columns: null,
  schema: null,
  isInferred: null,
  unlisted: null,
  batchSize: null,
  columnForm: "columnForm",
  batchBytes: "batchBytes",
  rawRecordColumn: "rawRecordColumn",
  rowPositionColumn: "rowPositionColumn",
  filter: "filter",
  splitBytes: "subdivide",
  isSample: null,
  signal: null,
} as const satisfies Record<keyof ReadRequest, keyof FormatReads | null>;

/** The parts of a format that requests are checked against. */
export interface RequestTaker {
  readonly id: string;
  readonly reads: FormatReads;
}

/**
 * The request with its defaults.
 * @param owner The function that takes it, for messages.
 * @throws {ArgumentError} `invalid-argument` naming the field with the unusable value.
 * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a field that the format does not declare.
 */
export function resolveRequest(
  owner: string,
  request: ReadRequest,
  { id, reads }: RequestTaker,
): PlanRequest {
  assertOptions(owner, request, REQUEST_RULES);
  for (const [field, member] of Object.entries(DECLARED_BY)) {
    if (member === null || request[field as keyof ReadRequest] === undefined) continue;
    if (reads[member] === undefined) throw undeclared(id, field);
  }
  const { batchSize = DEFAULT_BATCH_SIZE, columns, unlisted, schema, filter } = request;
  if (columns !== undefined) assertDistinct(columns);
  if (unlisted !== undefined && schema === undefined) {
    throw unusableArgument("unlisted", "needs a schema");
  }
  if (filter !== undefined) assertPredicate(filter);
  return { ...request, batchSize };
}

/** The error for a field or option that a format does not declare. */
export function undeclared(id: string, field: string): UnsupportedError {
  return new UnsupportedError(`The format ${id} does not support ${field}.`, {
    feature: field,
    reason: "undeclared-request",
  });
}

function assertDistinct(columns: NonNullable<ReadRequest["columns"]>): void {
  const seen = new Set<string>();
  for (const path of columns) {
    const key = String(path);
    if (seen.has(key)) throw unusableArgument("columns", `names "${key}" twice`);
    seen.add(key);
  }
}
