import { assertPredicate, type ColumnPath } from "@tfxio/schema";
import {
  aFunction,
  aListOf,
  aName,
  anAbortSignal,
  anObject,
  aPositiveInteger,
  aString,
  assertMembers,
  assertOptions,
  invalidArgument,
  membersOf,
  type OptionRules,
  oneOf,
  type Rule,
  required,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { TfxioOptions } from "./open-options.js";

/** Returns true for a column name and for a column path. A name refers to a top-level column. */
function isColumn(value: unknown): value is string | ColumnPath {
  return aName.holds(value) || Array.isArray(membersOf(value)["steps"]);
}

/** Rule for a column, as in `columns` and `by`: the name of a top-level column, or a path. */
export const aColumn: Rule = rule("a column name or path", isColumn);
const aSchema = rule(
  "a Schema message, such as the result of parseSchemaText",
  (value) => membersOf(value)["$typeName"] === "tensorflow.metadata.v0.Schema",
);
const aFormat = rule("a format or the id of a format", (value) => aString.holds(value) || has(value, "open"));
const aRegistry = rule("a format registry, such as the result of createFormatRegistry", (value) =>
  has(value, "get", "detect"),
);

/** Rules for the options of `openTfxio`. A null rule means that other code checks the option. Formats check `formatOptions`. */
export const OPEN_RULES: OptionRules<TfxioOptions> = {
  schema: aSchema,
  inferSchema: null,
  unlisted: null,
  format: aFormat,
  formats: aRegistry,
  formatOptions: anObject,
  columns: aListOf("a list of column names or paths", aColumn),
  columnForm: oneOf("lists", "stored"),
  float64: oneOf("float32", "float32-lossy"),
  filter: null,
  batchBytes: aPositiveInteger,
  splitBytes: aPositiveInteger,
  rawRecordColumn: aName,
  rowPositionColumn: aName,
  stores: null,
  representationGroup: aString,
  adapter: aFunction,
  limits: anObject,
  signal: anAbortSignal,
};

/**
 * Checks the options, for callers without type checking. The format checks `formatOptions` when it opens the data.
 * @throws {ArgumentError} `invalid-argument`, naming the option.
 */
export function assertOpenOptions(options: TfxioOptions): void {
  assertOptions("openTfxio", options, OPEN_RULES);
  assertFilter(options.filter);
  assertInference(options);
}

/** @throws {ArgumentError} `invalid-argument` for a filter that is neither text nor a predicate. */
export function assertFilter(filter: TfxioOptions["filter"]): void {
  if (filter !== undefined && typeof filter !== "string") assertPredicate(filter);
}

function assertInference({ inferSchema, schema, unlisted }: TfxioOptions): void {
  if (inferSchema === undefined) return;
  if (schema !== undefined)
    throw unusableArgument("inferSchema", "cannot be combined with schema; pass only one of them");
  if (unlisted === "drop") {
    throw unusableArgument(
      "unlisted",
      'cannot be "drop" with inferSchema, because a column that the inferred schema lacks is an error',
    );
  }
  if (inferSchema === "first" || inferSchema === "full") return;
  if (typeof inferSchema !== "object")
    throw invalidArgument("inferSchema", '"first", "full" or { rows }', inferSchema);
  assertMembers("inferSchema", inferSchema, { rows: required(aPositiveInteger) });
}

function has(value: unknown, ...methods: readonly string[]): boolean {
  return methods.every((method) => typeof membersOf(value)[method] === "function");
}
