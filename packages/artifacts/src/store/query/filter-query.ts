import type { SqlValue } from "../drivers/driver.js";
import type { NodeKind } from "../names.js";
import { filterScope, type FilterOperand } from "./filter-scope.js";
import { filterError, type FilterToken, filterTokens } from "./filter-tokens.js";

/** A filter query, compiled to parts of a SELECT. The SELECT must give the node's table the alias `node`. */
export interface CompiledFilter {
  /** The JOIN clauses, separated by spaces; may be empty. */
  readonly joins: string;
  /** The condition of the WHERE clause. */
  readonly condition: string;
  /** Values of the parameters: first those in `joins`, then those in `condition`. */
  readonly params: readonly SqlValue[];
}

/** Maximum nesting depth of parentheses and NOT. */
const MAX_DEPTH = 100;
const COMPARISONS: ReadonlySet<string> = new Set(["=", "!=", "<>", "<", "<=", ">", ">="]);

/**
 * Compiles an ML Metadata filter query. The supported conditions are comparisons, LIKE, IN, BETWEEN and IS NULL. A bool can also
 * stand alone or be followed by IS TRUE or IS FALSE. AND, OR and NOT combine conditions. Operands are literals, attributes,
 * `properties.N.int_value`, `custom_properties.N…`, and members of the neighbours `contexts_X`, `events_X`, `artifacts_X`,
 * `executions_X`, `parent_contexts_X` and `child_contexts_X`. ZetaSQL's functions and arithmetic are not supported. As in ML
 * Metadata, each neighbour or property that the query mentions becomes an inner join. A node therefore matches only if it has
 * all of them, even those under OR and NOT. Within a query, one name always stands for the same neighbour.
 * @throws {ArgumentError} `invalid-argument` (`filter-query`). The message states the offset of the problem.
 * @see `filter_query_ast_resolver.cc` and `filter_query_builder.cc` of ML Metadata
 */
export function compileFilter(kind: NodeKind, query: string): CompiledFilter {
  const tokens = filterTokens(query);
  const scope = filterScope(kind);
  let position = 0;
  let depth = 0;
  const peek = (ahead = 0): FilterToken =>
    tokens[Math.min(position + ahead, tokens.length - 1)] as FilterToken;
  const next = (): FilterToken => {
    const token = peek();
    position += 1;
    return token;
  };
  const isWord = (word: string, ahead = 0): boolean => {
    const { kind: tokenKind, text } = peek(ahead);
    return tokenKind === "name" ? text.toUpperCase() === word : tokenKind === "symbol" && text === word;
  };
  const take = (word: string): boolean => {
    if (!isWord(word)) return false;
    position += 1;
    return true;
  };
  const expect = (word: string): void => {
    if (!take(word)) throw filterError(`must have "${word}", found ${shown(peek())}`, peek().offset);
  };
  const nested = <Result>(parse: () => Result): Result => {
    depth += 1;
    if (depth > MAX_DEPTH)
      throw filterError(`must nest NOT and parentheses at most ${MAX_DEPTH} levels deep`, peek().offset);
    const result = parse();
    depth -= 1;
    return result;
  };

  function disjunction(): string {
    const parts = [conjunction()];
    while (take("OR")) parts.push(conjunction());
    return parts.length === 1 ? (parts[0] as string) : joined(parts, "OR");
  }
  function conjunction(): string {
    const parts = [negation()];
    while (take("AND")) parts.push(negation());
    return parts.length === 1 ? (parts[0] as string) : joined(parts, "AND");
  }
  function negation(): string {
    return take("NOT") ? `(NOT ${nested(negation)})` : predicate();
  }
  function predicate(): string {
    if (isWord("(")) {
      next();
      const inner = nested(disjunction);
      expect(")");
      return inner;
    }
    const left = operand();
    const { text, offset } = peek();
    if (COMPARISONS.has(text) && peek().kind === "symbol") {
      next();
      return comparison(left, text === "<>" ? "!=" : text, offset);
    }
    if (take("IS")) {
      const not = take("NOT") ? "NOT " : "";
      if (take("NULL")) return `(${left.sql} IS ${not}NULL)`;
      if (left.type === "bool" && (isWord("TRUE") || isWord("FALSE"))) {
        return `(${left.sql} IS ${not}${next().text.toUpperCase() === "TRUE" ? 1 : 0})`;
      }
      throw filterError(
        `must have NULL after IS (for a bool, also TRUE or FALSE), found ${shown(peek())}`,
        peek().offset,
      );
    }
    const not = isWord("NOT") && ["LIKE", "IN", "BETWEEN"].some((word) => isWord(word, 1)) ? "NOT " : "";
    if (not !== "") next();
    if (take("LIKE")) {
      if (left.type !== "string")
        throw filterError(`must apply LIKE only to text, found ${left.type}`, offset);
      return `(${left.sql} ${not}LIKE ${comparable(left, operand(left)).sql})`;
    }
    if (take("IN")) {
      expect("(");
      const items = [comparable(left, operand(left))];
      while (take(",")) items.push(comparable(left, operand(left)));
      expect(")");
      const list = `(${left.sql} ${not}IN (${items.map(({ sql }) => sql).join(", ")}))`;
      return not !== "" && left.type === "enum" ? `(${list} OR ${left.sql} IS NULL)` : list;
    }
    if (take("BETWEEN")) {
      assertOrdered(left, offset);
      const low = comparable(left, operand(left));
      expect("AND");
      return `(${left.sql} ${not}BETWEEN ${low.sql} AND ${comparable(left, operand(left)).sql})`;
    }
    if (left.type === "bool") return left.sql;
    throw filterError(`must have a comparison, found ${shown(peek())}`, offset);
  }
  function comparison(left: FilterOperand, operator: string, offset: number): string {
    if (operator !== "=" && operator !== "!=") assertOrdered(left, offset);
    const right = comparable(left, operand(left));
    const sql = `(${left.sql} ${operator} ${right.sql})`;
    // A missing state differs from every state, so NULL matches too. ML Metadata's client adds the same condition.
    return operator === "!=" && left.type === "enum" ? `(${sql} OR ${left.sql} IS NULL)` : sql;
  }
  function operand(beside?: FilterOperand): FilterOperand {
    const token = next();
    const { offset, text } = token;
    if (token.kind === "symbol" && (text === "-" || text === "+")) {
      const number = next();
      if (number.kind !== "integer" && number.kind !== "float") {
        throw filterError(`must have a number after "${text}", found ${shown(number)}`, number.offset);
      }
      return scope.number(number, text === "-");
    }
    if (token.kind === "string") return scope.literal("string", text, offset);
    if (token.kind === "integer" || token.kind === "float") return scope.number(token, false);
    if (token.kind !== "name" && token.kind !== "quoted-name") {
      throw filterError(`must have a name or value, found ${shown(token)}`, offset);
    }
    if (token.kind === "name" && /^(?:true|false)$/iu.test(text)) {
      return scope.literal("bool", text.toLowerCase() === "true" ? 1n : 0n, offset);
    }
    if (beside?.numbers !== undefined && !isWord(".")) return scope.enumValue(beside.numbers, token);
    const steps = [token];
    while (isWord(".")) {
      next();
      const step = next();
      if (step.kind !== "name" && step.kind !== "quoted-name") {
        throw filterError(`must have a name after ".", found ${shown(step)}`, step.offset);
      }
      steps.push(step);
    }
    if (isWord("(")) throw filterError(`must not call functions, found ${text}`, offset);
    return scope.column(steps);
  }
  function comparable(left: FilterOperand, right: FilterOperand): FilterOperand {
    const isNumeric = (type: string): boolean => type === "int" || type === "double";
    if (left.type === right.type || (isNumeric(left.type) && isNumeric(right.type))) return right;
    throw filterError(
      `must compare values of the same type, found ${left.type} and ${right.type}`,
      right.offset,
    );
  }
  function assertOrdered({ type }: FilterOperand, offset: number): void {
    if (type === "enum")
      throw filterError("must compare states and event types only with =, != or IN", offset);
  }

  const condition = disjunction();
  if (peek().kind !== "end") throw filterError(`must end here, found ${shown(peek())}`, peek().offset);
  return { joins: scope.joins(), condition, params: scope.params() };
}

/** Formats a token for an error message. */
function shown({ kind, text }: FilterToken): string {
  return kind === "end" ? text : JSON.stringify(text);
}

/**
 * Joins conditions with AND or OR. Long lists become a balanced tree, because SQLite limits the depth of an expression, and the
 * depth of a plain chain equals its length.
 */
function joined(parts: readonly string[], word: "AND" | "OR"): string {
  if (parts.length <= 8) return `(${parts.join(` ${word} `)})`;
  const middle = parts.length >> 1;
  return `(${joined(parts.slice(0, middle), word)} ${word} ${joined(parts.slice(middle), word)})`;
}
