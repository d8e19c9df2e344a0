import type { ColumnPath } from "../column-path.js";

/** Operators that compare a column with a value. */
export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * The value that a column is compared with. A number or bigint is compared, by mathematical value, with numeric columns of any
 * width. So a float32 never equals 0.1, but may equal `Math.fround(0.1)`. A Uint8Array or a string (as UTF-8) is compared with
 * text and bytes columns byte by byte. A boolean is compared with boolean columns.
 */
export type PredicateValue = bigint | number | string | Uint8Array | boolean;

/** Compares a column with one value. */
export interface ComparePredicate {
  readonly kind: "compare";
  readonly column: ColumnPath;
  readonly op: CompareOperator;
  readonly value: PredicateValue;
}

/** True if the column has one of `values`. An empty list matches no row. */
export interface InPredicate {
  readonly kind: "in";
  readonly column: ColumnPath;
  readonly values: readonly PredicateValue[];
}

/** True if the row has no value because the column, or a struct around the column, is null. False for an empty list. */
export interface IsNullPredicate {
  readonly kind: "isNull";
  readonly column: ColumnPath;
}

/** Two or more predicates, all of which (`and`) or at least one of which (`or`) must be true. */
export interface LogicalPredicate {
  readonly kind: "and" | "or";
  readonly operands: readonly Predicate[];
}

/** The negation of a predicate. The negation of unknown is unknown. */
export interface NotPredicate {
  readonly kind: "not";
  readonly operand: Predicate;
}

/**
 * A condition on rows, as an immutable tree.
 *
 * Only rows for which the predicate is true are kept. A row with several values matches if any of its values does. As in SQL, a
 * comparison with null is unknown, and so is its negation. Only `isNull` is true for null. A comparison with a column
 * is false if the row has an empty list in that column, so its negation is true. `not in` means `not (… in …)`, so it is true for
 * such a row too. NaN equals no value, so `!=` is the only comparison operator that is true for it.
 * For the text form, see {@link parsePredicate} and {@link formatPredicate}.
 */
export type Predicate = ComparePredicate | InPredicate | IsNullPredicate | LogicalPredicate | NotPredicate;
