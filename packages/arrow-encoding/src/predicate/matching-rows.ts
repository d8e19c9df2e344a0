import { assertPredicate, type ColumnPath, type Predicate } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { assertArgument, assertOptions, oneOf, type OptionRules } from "@tfxio/wire/checks";
import { type Data, DataType, type RecordBatch } from "apache-arrow";
import { aRecordBatch } from "../argument-rules.js";
import { columnElements, type ColumnElements, eachElement } from "../column/column-access.js";
import { malformedColumn } from "../column/column-access-offsets.js";
import { leafValues } from "../list-form/leaf-values.js";
import { valueKind } from "../list-form/value-kind.js";
import { type AbsentColumn, type ReachedValues, reachValues } from "./reached-values.js";
import { anyOfLists, joined, negated, trueRows, type Truth, unknownWhere, UNKNOWN } from "./truth.js";
import { comparisonTest, membershipTest, type ValueTest } from "./value-test.js";

/** Returns the zero-based indices of the rows that a predicate keeps: int32, ascending. */
export type RowMatcher = (batch: RecordBatch) => Int32Array;

/** Options of {@link createRowMatcher}. */
export interface RowMatcherOptions {
  /**
   * Treatment of a missing column or struct field. `"error"`, the default, throws. `"null"` treats it as null in every row.
   * Batches that were read without a schema need `"null"`, because they omit columns without values.
   */
  readonly absent?: AbsentColumn | undefined;
}

/**
 * Returns the zero-based indices of the rows for which `predicate` is true: int32, ascending. For several batches, use
 * {@link createRowMatcher}.
 * @throws {ArgumentError} As {@link createRowMatcher}.
 * @throws {SchemaError} As the matcher of {@link createRowMatcher}.
 */
export function matchingRows(batch: RecordBatch, predicate: Predicate): Int32Array {
  return createRowMatcher(predicate)(batch);
}

/**
 * Prepares a predicate for any number of batches. Columns may have the types stored in the file, or be in list form.
 *
 * - A row may have several values, in lists, lists of lists, or structs in lists. A comparison is true for the row if it is true
 *   for any of these values. For `[]`, a comparison is false, so its negation is true.
 * - A comparison with a null value is unknown, and so is its negation. Rows for which the whole predicate is unknown are dropped.
 * - `isNull` is true if the row's value is null, or if it lies in a null struct that is not inside a list. A null inside a list
 *   does not make `isNull` true.
 * - 64-bit integers compare exactly, even with floats. If either side is NaN, all operators except `!=` return false.
 * - Text and bytes compare as sequences of unsigned bytes. Fixed-size binary values are bytes. Decimals compare as their text.
 * - Dates and times compare as integers in the unit of their column. Booleans compare only with booleans, `false` before `true`.
 *   Uint8 values are booleans if their field has the metadata `tfxio.logical: bool`.
 * - Dictionaries compare by their entries. A map is a list of structs with `key` and `value`.
 *
 * The matcher borrows its batch only while it runs. It allocates at least one byte per value that it tests.
 * @throws {ArgumentError} `invalid-argument` (`predicate`) if `predicate` is malformed.
 * @throws {SchemaError} The matcher throws `schema-mismatch` (`unknown-column`) for a missing column, unless `absent` is
 *   `"null"`, and `schema-mismatch` (`predicate-type`) for a value that cannot be compared with the column's type.
 */
export function createRowMatcher(predicate: Predicate, options: RowMatcherOptions = {}): RowMatcher {
  assertPredicate(predicate);
  assertOptions("createRowMatcher", options, MATCHER_RULES);
  const { absent = "error" } = options;
  const evaluate = compile(predicate);
  return (batch) => {
    assertArgument("batch", batch, aRecordBatch);
    const reached = new Map<string, ReachedValues>();
    return trueRows(
      evaluate(batch.numRows, (path) => {
        const key = path.toString();
        const known = reached.get(key) ?? reachValues(batch, path, absent);
        reached.set(key, known);
        return known;
      }),
    );
  };
}

/** The rules for {@link RowMatcherOptions}. */
export const MATCHER_RULES: OptionRules<RowMatcherOptions> = { absent: oneOf("error", "null") };

/** Evaluates a predicate to a new array of truth values, which the caller may modify. */
type Evaluate = (numRows: number, reach: (path: ColumnPath) => ReachedValues) => Truth;

/** Compiles a predicate to nested functions, so that each batch is evaluated without inspecting the tree. */
function compile(predicate: Predicate): Evaluate {
  switch (predicate.kind) {
    case "and":
    case "or": {
      const operands = predicate.operands.map(compile);
      return (numRows, reach) =>
        joined(
          predicate.kind,
          operands.map((evaluate) => evaluate(numRows, reach)),
        );
    }
    case "not": {
      const operand = compile(predicate.operand);
      return (numRows, reach) => negated(operand(numRows, reach));
    }
    case "isNull":
      return (numRows, reach) => nullRows(reach(predicate.column), numRows);
    case "compare": {
      const test = comparisonTest(predicate.op, predicate.value);
      return (_, reach) => testRows(reach(predicate.column), test, predicate.column);
    }
    default: {
      const test = membershipTest(predicate.values);
      return (_, reach) => testRows(reach(predicate.column), test, predicate.column);
    }
  }
}

/** Evaluates `isNull`. For a column of lists, only nulls at the outermost level count. */
function nullRows({ levels, isNull }: ReachedValues, numRows: number): Truth {
  const [outermost] = levels;
  if (outermost !== undefined) return outermost.isNull?.slice() ?? new Uint8Array(numRows);
  return isNull?.slice() ?? new Uint8Array(numRows);
}

/** Tests every value, and combines the results of a row's values at each list level. */
function testRows(reached: ReachedValues, test: ValueTest, path: ColumnPath): Truth {
  const { levels, values, isNull, owners } = reached;
  const kind = valueKind(values.data.type, owners);
  if (kind !== "null" && (kind === undefined || [...test.kinds].some((other) => other !== kind))) {
    throw wrongType(path, values.data.type, kind, test);
  }
  let truth = unknownWhere(
    isNull,
    kind === "null" ? new Uint8Array(values.length) : testValues(values, test),
  );
  for (const level of levels.toReversed()) truth = anyOfLists(level, truth);
  return truth;
}

function testValues(elements: ColumnElements, { test }: ValueTest): Truth {
  if (!DataType.isDictionary(elements.data.type)) return test(leafValues(elements));
  return byKeys(elements, (entries) => test(leafValues(entries)));
}

/** Evaluates the dictionary entries with `ofEntries`, and looks up the result of each element. A null key gives unknown. */
function byKeys(elements: ColumnElements, ofEntries: (entries: ColumnElements) => Truth): Truth {
  const { data, length } = elements;
  const chunks: readonly Data[] = data.dictionary?.data ?? [];
  const entries = Uint8Array.from(chunks.flatMap((chunk) => [...ofEntries(columnElements(chunk))]));
  const keys = data.values as ArrayLike<number | bigint>;
  const truth = new Uint8Array(length);
  let index = 0;
  eachElement(elements, (position, isNull) => {
    const key = isNull ? 0 : Number(keys[position]);
    if (!isNull && !(key >= 0 && key < entries.length)) {
      throw malformedColumn(data.type, `key ${key} is outside the dictionary of ${entries.length} values`);
    }
    truth[index++] = isNull ? UNKNOWN : (entries[key] as number);
  });
  return truth;
}

const namesOfKinds = { number: "a number", bytes: "text or bytes", boolean: "true or false", null: "null" };

function wrongType(
  path: ColumnPath,
  type: DataType,
  kind: keyof typeof namesOfKinds | undefined,
  { kinds }: ValueTest,
): SchemaError {
  const columnPath = path.toString();
  const actual = [...kinds].map((one) => namesOfKinds[one]).join(" and ") || "a list of values";
  if (kind === undefined) {
    const expected = "numbers, text, bytes or booleans";
    const message = `Column "${columnPath}" must hold ${expected} to be compared, found ${type}.`;
    const found = { expected, actual: String(type) };
    return new SchemaError("schema-mismatch", message, { reason: "predicate-type", columnPath, ...found });
  }
  const expected = namesOfKinds[kind];
  const message = `Column "${columnPath}" of type ${type} must be compared with ${expected}, found ${actual}.`;
  return new SchemaError("schema-mismatch", message, {
    reason: "predicate-type",
    columnPath,
    expected,
    actual,
  });
}
