import type { ColumnPath } from "../column-path.js";

/** Comparisons of a column with a value. */
export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * The value that a column is compared with. A number or bigint matches numeric columns of any width by mathematical value. A
 * string (as UTF-8) or Uint8Array matches text and bytes, byte by byte. A boolean matches booleans.
 */
export type PredicateValue = bigint | number | string | Uint8Array | boolean;

/** Compares a column with one value. */
export interface ComparePredicate {
  readonly kind: "compare";
  readonly column: ColumnPath;
  readonly op: CompareOperator;
  readonly value: PredicateValue;
}

/** The column has one of these values. An empty list matches no row. */
export interface InPredicate {
  readonly kind: "in";
  readonly column: ColumnPath;
  readonly values: readonly PredicateValue[];
}

/** The row has no value: the column is null, or a struct around it is. False for an empty list. */
export interface IsNullPredicate {
  readonly kind: "isNull";
  readonly column: ColumnPath;
}

/** Two or more predicates. All must be true (`and`), or at least one (`or`). */
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
 * A condition on rows, as an immutable tree of plain values.
 *
 * Only rows whose predicate is true are kept. A row with several values matches if any of them does. Comparing null gives
 * unknown, so null rows are dropped, under `not` as well, unless `isNull` asks for them. An empty list matches no comparison, so
 * `not` keeps it. `not in` means `not (… in …)`, so it keeps empty lists too. NaN equals nothing, so only `!=` is true for it.
 * For the text form, see {@link parsePredicate} and {@link formatPredicate}.
 */
export type Predicate = ComparePredicate | InPredicate | IsNullPredicate | LogicalPredicate | NotPredicate;
