import { assertPredicate } from "./check-predicate.js";
import type { Predicate } from "./predicate.js";
import { formatValue } from "./predicate-literals.js";
import { formatColumn } from "./predicate-names.js";

/**
 * Formats a predicate as text that {@link parsePredicate} parses to an equal tree. A bigint is written as `18` and a number as
 * `18.0`. Both match the same rows.
 * @throws {ArgumentError} `invalid-argument`, reason `predicate`, if `predicate` is malformed.
 */
export function formatPredicate(predicate: Predicate): string {
  assertPredicate(predicate);
  return format(predicate);
}

function format(predicate: Predicate): string {
  switch (predicate.kind) {
    case "compare":
      return `${formatColumn(predicate.column)} ${predicate.op} ${formatValue(predicate.value)}`;
    case "in":
      return `${formatColumn(predicate.column)} in (${predicate.values.map(formatValue).join(", ")})`;
    case "isNull":
      return `${formatColumn(predicate.column)} is null`;
    case "not": {
      const { operand } = predicate;
      return operand.kind === "isNull"
        ? `${formatColumn(operand.column)} is not null`
        : `not (${format(operand)})`;
    }
    default:
      return predicate.operands
        .map((operand) => (isNested(predicate.kind, operand) ? `(${format(operand)})` : format(operand)))
        .join(` ${predicate.kind} `);
  }
}

/**
 * Returns whether an operand of `and` or `or` needs parentheses. `and` binds more tightly than `or`. An operand of the same kind
 * as its parent gets parentheses too, so that parsing restores the same tree.
 */
function isNested(kind: "and" | "or", operand: Predicate): boolean {
  return operand.kind === "or" || (operand.kind === "and" && kind === "and");
}
