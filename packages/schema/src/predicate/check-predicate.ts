import type { ArgumentError } from "@tfxio/wire";
import { aListOfNames, aUint8Array, invalidArgument, oneOf } from "@tfxio/wire/checks";
import type { ColumnPath } from "../column-path.js";
import type { CompareOperator, Predicate } from "./predicate.js";

/** The comparison operators, longest first, so that a tokenizer can try them in order. */
export const compareOperators: readonly CompareOperator[] = ["==", "!=", "<=", ">=", "<", ">"];

const anOperator = oneOf(...compareOperators);

/** Limit on the nesting of predicates. Checks, formatting and evaluation recurse, so deeper trees could overflow the stack. */
export const MAX_DEPTH = 200;

/**
 * Checks that `value` is a {@link Predicate}.
 * @throws {ArgumentError} `invalid-argument`, reason `predicate`. The message names the invalid key and its value.
 */
export function assertPredicate(value: unknown): asserts value is Predicate {
  checkNode(value, "", 0);
}

/** Checks a node and its operands. @param at Place of the node in the predicate; empty for the root. */
function checkNode(value: unknown, at: string, depth: number): void {
  if (depth > MAX_DEPTH) throw unfit(at, `nested at most ${MAX_DEPTH} levels deep`, value);
  const node = Object(value) as Readonly<Record<string, unknown>>;
  switch (node["kind"]) {
    case "compare":
      checkColumn(node["column"], at);
      if (!anOperator.holds(node["op"])) throw unfit(`${at}.op`, anOperator.expected, node["op"]);
      checkValue(node["value"], `${at}.value`);
      return;
    case "in":
      checkColumn(node["column"], at);
      each(node["values"], `${at}.values`, checkValue);
      return;
    case "isNull":
      checkColumn(node["column"], at);
      return;
    case "and":
    case "or":
      each(node["operands"], `${at}.operands`, (operand, place) => checkNode(operand, place, depth + 1));
      if ((node["operands"] as readonly unknown[]).length < 2) {
        throw unfit(`${at}.operands`, "at least two predicates", node["operands"]);
      }
      return;
    case "not":
      checkNode(node["operand"], `${at}.operand`, depth + 1);
      return;
    case undefined:
      throw unfit(at, "a Predicate, as returned by parsePredicate", value);
    default:
      throw unfit(`${at}.kind`, '"compare", "in", "isNull", "and", "or" or "not"', node["kind"]);
  }
}

function each(list: unknown, at: string, check: (item: unknown, at: string) => void): void {
  if (!Array.isArray(list)) throw unfit(at, "a list", list);
  for (const [index, item] of list.entries()) check(item, `${at}[${index}]`);
}

function checkColumn(column: unknown, at: string): void {
  // The check is structural, so that paths from a second install of this package pass too.
  const { steps, child } = Object(column) as Partial<ColumnPath>;
  if (aListOfNames.holds(steps) && steps?.length !== 0 && child !== undefined) return;
  throw unfit(`${at}.column`, "a ColumnPath of at least one step", column);
}

function checkValue(value: unknown, at: string): void {
  if (["bigint", "number", "string", "boolean"].includes(typeof value)) return;
  if (aUint8Array.holds(value)) return;
  throw unfit(at, "a bigint, number, string, Uint8Array or boolean", value);
}

/** @param at Place in the predicate, such as `.operands[1].value`. */
function unfit(at: string, expected: string, found: unknown): ArgumentError {
  return invalidArgument("predicate", expected, found, { at, reason: "predicate" });
}
