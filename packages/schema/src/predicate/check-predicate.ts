import { ArgumentError } from "@tfxio/wire";
import type { ColumnPath } from "../column-path.js";
import type { CompareOperator, Predicate } from "./predicate.js";

/** The operators, longest first, as a tokenizer wants them. */
export const compareOperators: readonly CompareOperator[] = ["==", "!=", "<=", ">=", "<", ">"];

/** Limit on the nesting of predicates, since checks, formatting and evaluation recurse. */
export const MAX_DEPTH = 200;

/**
 * Throws unless `value` is a {@link Predicate}.
 * @throws {ArgumentError} `invalid-argument`, reason `predicate`, whose message says what was found at which key.
 */
export function assertPredicate(value: unknown): asserts value is Predicate {
  checkNode(value, "predicate", 0);
}

function checkNode(value: unknown, at: string, depth: number): void {
  if (depth > MAX_DEPTH) throw unfit(at, `at most ${MAX_DEPTH} levels of predicates`, value);
  const node = Object(value) as Readonly<Record<string, unknown>>;
  switch (node["kind"]) {
    case "compare":
      checkColumn(node["column"], at);
      if (!(compareOperators as readonly unknown[]).includes(node["op"])) {
        throw unfit(`${at}.op`, `one of ${compareOperators.join(" ")}`, node["op"]);
      }
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
    default:
      throw unfit(at, "an object of kind compare, in, isNull, and, or, not", value);
  }
}

function each(list: unknown, at: string, check: (item: unknown, at: string) => void): void {
  if (!Array.isArray(list)) throw unfit(at, "a list", list);
  for (const [index, item] of list.entries()) check(item, `${at}[${index}]`);
}

function checkColumn(column: unknown, at: string): void {
  // By its parts, so that the paths of a second install of this package pass too.
  const { steps, child } = Object(column) as Partial<ColumnPath>;
  const isPath =
    Array.isArray(steps) && steps.every((step) => typeof step === "string") && child !== undefined;
  if (isPath && steps.length > 0) return;
  throw unfit(`${at}.column`, "a ColumnPath of at least one step", column);
}

function checkValue(value: unknown, at: string): void {
  if (["bigint", "number", "string", "boolean"].includes(typeof value)) return;
  if (Object.prototype.toString.call(value) === "[object Uint8Array]") return;
  throw unfit(at, "a bigint, number, string, Uint8Array or boolean", value);
}

function unfit(at: string, expected: string, found: unknown): ArgumentError {
  const shown = typeof found === "string" ? JSON.stringify(found) : describe(found);
  return new ArgumentError("invalid-argument", `${at} is ${shown}, expected ${expected}`, {
    reason: "predicate",
    argument: "predicate",
  });
}

function describe(found: unknown): string {
  if (Array.isArray(found)) return `a list of ${found.length}`;
  return typeof found === "object" && found !== null ? "an object" : String(found);
}
