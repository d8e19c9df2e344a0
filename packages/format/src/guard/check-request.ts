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

/** Default number of rows per batch. Large enough to hide the fixed cost of a batch, and small enough for the CPU cache. */
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
  // `assertPredicate` checks the filter.
  filter: null,
  splitBytes: aPositiveInteger,
  isSample: aBoolean,
  signal: anAbortSignal,
};

/** For each field of a request, the member of {@link FormatReads} that declares it. Null if every format accepts the field. */
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

/** The members of a format against which requests are checked. */
export interface RequestTaker {
  readonly id: string;
  readonly reads: FormatReads;
}

/**
 * Checks a request and fills in its defaults.
 * @param owner Name of the function that received the request, for messages.
 * @throws {ArgumentError} `invalid-argument` for an invalid value. The error names the field.
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
    throw unusableArgument(
      "unlisted",
      "applies to columns that are not in the schema, so it requires a schema",
    );
  }
  if (filter !== undefined) assertPredicate(filter);
  return { ...request, batchSize };
}

/** Creates the error for a field or option that a format does not declare: `unsupported` (`undeclared-request`). */
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
    if (seen.has(key)) throw unusableArgument("columns", `must be unique, found "${key}" twice`);
    seen.add(key);
  }
}
