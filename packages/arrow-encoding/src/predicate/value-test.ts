import type { CompareOperator, PredicateValue } from "@tfxio/schema";
import type { BytesColumn } from "../column/column-access-bytes.js";
import type { FlatValues } from "../column/column-access-values.js";
import type { ValueKind } from "../list-form/value-kind.js";
import { compareBytes, includesBytes } from "./compare-bytes.js";
import { compareInt64, includesInt64, type Int64Array } from "./compare-int64.js";
import { compareNumbers, type DoubleArray, includesNumbers } from "./compare-numbers.js";
import type { Truth } from "./truth.js";

/** The test that a comparison, or `in`, applies to each value of a column. */
export interface ValueTest {
  /** Kinds of the values on the right-hand side. */
  readonly kinds: ReadonlySet<ValueKind>;
  /**
   * Tests values of a column whose kind is in `kinds`, or of any kind if `kinds` is empty. Booleans are 0 and 1. The results for
   * nulls are ignored.
   */
  readonly test: (values: FlatValues) => Truth;
}

/** Creates the test of a comparison with one value. */
export function comparisonTest(op: CompareOperator, value: PredicateValue): ValueTest {
  const kinds = new Set([kindOf(value)]);
  const bound = typed(value);
  if (typeof bound === "object")
    return { kinds, test: (values) => compareBytes(values as BytesColumn, op, bound) };
  return {
    kinds,
    test: (values) =>
      is64Bit(values) ? compareInt64(values, op, bound) : compareNumbers(values as DoubleArray, op, bound),
  };
}

/** Creates the test of `in`. An empty set matches no value. */
export function membershipTest(set: readonly PredicateValue[]): ValueTest {
  const bounds = set.map(typed);
  const bytes = bounds.filter((bound) => typeof bound === "object");
  const numbers = bounds.filter((bound) => typeof bound !== "object");
  const test = (values: FlatValues): Truth => {
    if (set.length === 0) return new Uint8Array(values.length);
    if (bytes.length > 0) return includesBytes(values as BytesColumn, bytes);
    return is64Bit(values) ? includesInt64(values, numbers) : includesNumbers(values as DoubleArray, numbers);
  };
  return { kinds: new Set(set.map(kindOf)), test };
}

function is64Bit(values: FlatValues): values is Int64Array {
  const tag = (values as Partial<Int64Array>)[Symbol.toStringTag];
  return tag === "BigInt64Array" || tag === "BigUint64Array";
}

function kindOf(value: PredicateValue): ValueKind {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "string":
    case "object":
      return "bytes";
    default:
      return "number";
  }
}

/** Encodes text as UTF-8, and converts booleans to 0 and 1. */
function typed(value: PredicateValue): number | bigint | Uint8Array {
  if (typeof value === "string") return new TextEncoder().encode(value);
  return typeof value === "boolean" ? Number(value) : value;
}
