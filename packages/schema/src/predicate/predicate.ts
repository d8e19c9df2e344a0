import type { ColumnPath } from "../column-path.js";

/** Comparisons of a column with a value. */
export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * What a column is compared with. A number or bigint goes with numbers of any width, by their mathematical value; a
 * string (as its UTF-8) or a Uint8Array with text and bytes, byte by byte; a boolean with booleans.
 */
export type PredicateValue = bigint | number | string | Uint8Array | boolean;

/** The value of a column compared with one value. */
export interface ComparePredicate {
  readonly kind: "compare";
  readonly column: ColumnPath;
  readonly op: CompareOperator;
  readonly value: PredicateValue;
}

/** The value of a column is one of these. With no values it is true for no row. */
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

/** Two or more predicates, all of which hold (`and`), or at least one (`or`). */
export interface LogicalPredicate {
  readonly kind: "and" | "or";
  readonly operands: readonly Predicate[];
}

/** The opposite of a predicate. The opposite of unknown is unknown. */
export interface NotPredicate {
  readonly kind: "not";
  readonly operand: Predicate;
}

/**
 * A condition on the rows of a table, as a plain value tree: nothing in it is changed after it was made.
 *
 * Of a row with several values, one that fits is enough. A comparison with null is unknown, and a row is kept only
 * when its predicate is true: so null rows are left out unless `isNull` asks for them, also under `not`. An empty list
 * fits no comparison, so `not` keeps it, as does `not in`, which is `not (… in …)`. NaN equals nothing: only `!=` is true
 * of it.
 * The text form is that of {@link parsePredicate} and {@link formatPredicate}.
 */
export type Predicate = ComparePredicate | InPredicate | IsNullPredicate | LogicalPredicate | NotPredicate;
