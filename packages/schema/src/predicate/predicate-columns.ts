import type { ColumnPath } from "../column-path.js";
import { assertPredicate } from "./check-predicate.js";
import type { Predicate } from "./predicate.js";

/**
 * Returns the columns that a predicate reads, each once, in order of first occurrence.
 * @throws {ArgumentError} `invalid-argument`, reason `predicate`, if `predicate` is malformed.
 */
export function predicateColumns(predicate: Predicate): readonly ColumnPath[] {
  assertPredicate(predicate);
  const columns = new Map<string, ColumnPath>();
  collect(predicate, columns);
  return [...columns.values()];
}

function collect(predicate: Predicate, columns: Map<string, ColumnPath>): void {
  switch (predicate.kind) {
    case "and":
    case "or":
      for (const operand of predicate.operands) collect(operand, columns);
      return;
    case "not":
      collect(predicate.operand, columns);
      return;
    default: {
      const key = predicate.column.toString();
      if (!columns.has(key)) columns.set(key, predicate.column);
    }
  }
}
