import type { ColumnPath, CompareOperator, Predicate, PredicateValue } from "@tfxio/schema";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { ColumnChunk, FileFooter, RowGroup } from "../footer/file-footer.js";
import type { StoredColumn } from "../footer/stored-columns.js";
import { type ChunkStatistics, statisticsOf } from "./statistics.js";

/**
 * False only where no row of the row group can match. A comparison of a list is true when it is of any of its values, so the
 * bounds of all values serve lists as well.
 */
export function mayMatch(
  predicate: Predicate,
  footer: FileFooter,
  group: RowGroup,
  arrowSchema: ArrowSchema,
): boolean {
  const matches = (operand: Predicate): boolean => mayMatch(operand, footer, group, arrowSchema);
  switch (predicate.kind) {
    case "and":
      return predicate.operands.every(matches);
    case "or":
      return predicate.operands.some(matches);
    case "not":
      return true;
    case "isNull":
      return statisticsAt(predicate.column, footer, group, arrowSchema)?.numNulls !== 0;
    case "in": {
      const statistics = statisticsAt(predicate.column, footer, group, arrowSchema);
      return predicate.values.some((value) => mayCompare(statistics, "==", value));
    }
    case "compare": {
      const statistics = statisticsAt(predicate.column, footer, group, arrowSchema);
      return mayCompare(statistics, predicate.op, predicate.value);
    }
  }
}

/** Statistics of the one leaf of a column. Undefined for other paths: fields of structs share the nulls around them. */
function statisticsAt(
  { steps }: ColumnPath,
  { columns }: FileFooter,
  { chunks }: RowGroup,
  { fields }: ArrowSchema,
): ChunkStatistics | undefined {
  const named = [...fields.entries()].filter(([, { name }]) => steps.length === 1 && name === steps[0]);
  const [[index, field] = []] = named;
  if (named.length !== 1 || index === undefined || field === undefined) return undefined;
  const { leaves, firstLeaf } = columns[index] as StoredColumn;
  const [leaf] = leaves;
  if (leaves.length !== 1 || leaf === undefined) return undefined;
  return statisticsOf(chunks[firstLeaf] as ColumnChunk, leaf, field);
}

function mayCompare(
  statistics: ChunkStatistics | undefined,
  op: CompareOperator,
  value: PredicateValue,
): boolean {
  if (statistics?.isAllNull === true) return false;
  const { bounds } = statistics ?? {};
  if (bounds === undefined) return true;
  // Undefined where the value is of another kind, which is for whoever compares the rows to refuse.
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

/** Below, at or above 0. */
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

/** A number and a bigint compare by their mathematical value. */
function order(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  return Number(left > right);
}

function asBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? new TextEncoder().encode(value) : value;
}
