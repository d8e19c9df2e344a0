import type { ColumnPath, CompareOperator, Predicate, PredicateValue } from "@tfxio/schema";
import { intersectionOf, type RowSpan, unionOf } from "../row-groups/row-span.js";
import type { ValueStatistics } from "./statistics.js";

/** The statistics of one column for a range of rows. */
export interface Evidence extends RowSpan {
  readonly statistics: ValueStatistics;
  /** Returns false only if no value in the span equals `value`. Absent without a usable bloom filter. */
  readonly mayContain?: ((value: PredicateValue) => boolean) | undefined;
}

/**
 * Returns the rows that may match, given the evidence about each column. All other rows certainly do not match. Undefined
 * evidence rules out no rows. A comparison of a list column is true if it holds for any value in the list, so the bounds of
 * the values also apply to lists.
 */
export function rowsThatMayMatch(
  predicate: Predicate,
  numRows: number,
  evidenceOf: (column: ColumnPath) => readonly Evidence[] | undefined,
): readonly RowSpan[] {
  const all: readonly RowSpan[] = numRows === 0 ? [] : [{ start: 0, end: numRows }];
  const rowsOf = (operand: Predicate): readonly RowSpan[] => rowsThatMayMatch(operand, numRows, evidenceOf);
  const where = (column: ColumnPath, holds: (evidence: Evidence) => boolean): readonly RowSpan[] => {
    const evidence = evidenceOf(column);
    return evidence === undefined ? all : unionOf(evidence.filter(holds));
  };
  switch (predicate.kind) {
    case "and":
      return predicate.operands.map(rowsOf).reduce(intersectionOf);
    case "or":
      return unionOf(predicate.operands.flatMap(rowsOf));
    case "not":
      return all;
    case "isNull":
      return where(predicate.column, ({ statistics }) => statistics.numNulls !== 0);
    case "in":
      return where(predicate.column, (evidence) =>
        predicate.values.some((value) => mayCompare(evidence, "==", value)),
      );
    case "compare":
      return where(predicate.column, (evidence) => mayCompare(evidence, predicate.op, predicate.value));
  }
}

function mayCompare(
  { statistics, mayContain }: Evidence,
  op: CompareOperator,
  value: PredicateValue,
): boolean {
  if (statistics.isAllNull) return false;
  if (op === "==" && mayContain?.(value) === false) return false;
  const { bounds } = statistics;
  if (bounds === undefined) return true;
  // Undefined if the value and the bounds cannot be compared, like text and numbers. The bounds then rule out nothing.
  const [fromMin, fromMax] = [compareValues(value, bounds.min), compareValues(value, bounds.max)];
  if (fromMin === undefined || fromMax === undefined) return true;
  switch (op) {
    case "==":
      return fromMin >= 0 && fromMax <= 0;
    case "!=":
      return true;
    case "<":
      return fromMin > 0;
    case "<=":
      return fromMin >= 0;
    case ">":
      return fromMax < 0;
    case ">=":
      return fromMax <= 0;
  }
}

/** Compares two values. Returns a negative number, zero or a positive number, or undefined for values that have no order. */
function compareValues(left: PredicateValue, right: PredicateValue): number | undefined {
  if (isNumber(left) && isNumber(right)) return Number.isNaN(left) ? undefined : order(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (isNumber(left) || isNumber(right) || typeof left === "boolean" || typeof right === "boolean") {
    return undefined;
  }
  const [a, b] = [asBytes(left), asBytes(right)];
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    if (a[at] !== b[at]) return (a[at] as number) - (b[at] as number);
  }
  return a.length - b.length;
}

function isNumber(value: PredicateValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Compares numbers and bigints by their mathematical values. */
function order(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return Number(left > right);
}

function asBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value;
}
