import type { SqlValue } from "../drivers/driver.js";
import type { NodeKind } from "../names.js";
import {
  attributesOf,
  type FilterColumn,
  type FilterType,
  neighboursOf,
  PROPERTY_VALUES,
  propertyJoin,
  typeJoin,
} from "./filter-columns.js";
import { filterError, type FilterToken } from "./filter-tokens.js";

/** A column or literal of a filter query, as SQL. */
export interface FilterOperand {
  readonly sql: string;
  readonly type: FilterType;
  /** Names of the enum's values and their numbers, for an enum column only. */
  readonly numbers?: Readonly<Record<string, number>> | undefined;
  /** Offset into the query, in UTF-16 code units. */
  readonly offset: number;
}

/** Resolves names to columns, and collects the joins and parameters that they need. */
export interface FilterScope {
  column(steps: readonly FilterToken[]): FilterOperand;
  literal(type: FilterType, value: SqlValue, offset: number): FilterOperand;
  number(token: FilterToken, isNegative: boolean): FilterOperand;
  enumValue(numbers: Readonly<Record<string, number>>, token: FilterToken): FilterOperand;
  joins(): string;
  params(): readonly SqlValue[];
}

/** Maximum number of tables that a query joins to the table of the nodes. SQLite joins at most 64 tables in all. */
const MAX_TABLES = 60;

export function filterScope(kind: NodeKind): FilterScope {
  const attributes = attributesOf(kind);
  const neighbours = neighboursOf(kind);
  const aliases = new Map<string, string>();
  const joins: string[] = [];
  const joinParams: SqlValue[] = [];
  const literals: SqlValue[] = [];
  let numTables = 0;

  /** Returns the SQL alias of a table that the query uses. The first use adds the join. `added` is the number of tables in it. */
  const joined = (key: string, offset: number, added: number, join: (alias: string) => string): string => {
    const known = aliases.get(key);
    if (known !== undefined) return known;
    numTables += added;
    if (numTables > MAX_TABLES) {
      const counted =
        'one for the attribute "type", one for each different property or event, ' +
        "and three for each different context, artifact or execution, such as contexts_a";
      throw filterError(`must join at most ${MAX_TABLES} tables (${counted})`, offset);
    }
    const alias = `joined_${aliases.size}`;
    aliases.set(key, alias);
    joins.push(join(alias));
    return alias;
  };
  const literal = (type: FilterType, value: SqlValue, offset: number): FilterOperand => {
    literals.push(value);
    return { sql: "?", type, offset };
  };
  const unknown = ({ text, offset }: FilterToken): Error =>
    filterError(`has the unknown name ${text}`, offset);
  const operand = (table: string, column: FilterColumn | undefined, token: FilterToken): FilterOperand => {
    if (column === undefined) throw unknown(token);
    return {
      sql: `${table}.${column.column}`,
      type: column.type,
      numbers: column.numbers,
      offset: token.offset,
    };
  };
  return {
    literal,
    column: (steps) => {
      const [first, second, third] = steps as [FilterToken, FilterToken?, FilterToken?];
      if (steps.length === 1) {
        const column = own(attributes, first.text);
        const table =
          first.text === "type"
            ? joined("type", first.offset, 1, (alias) => typeJoin(kind, alias, "node"))
            : "node";
        return operand(table, column, first);
      }
      const isCustom = first.text === "custom_properties";
      if (steps.length === 3 && (isCustom || first.text === "properties")) {
        const [name, value] = [second as FilterToken, third as FilterToken];
        const alias = joined(`${first.text}.${name.text}`, name.offset, 1, (table) => {
          joinParams.push(name.text);
          return propertyJoin(kind, isCustom, table, "node");
        });
        return operand(alias, own(PROPERTY_VALUES, value.text), value);
      }
      const prefix = Object.keys(neighbours).find((name) => first.text.startsWith(`${name}_`));
      if (steps.length !== 2 || prefix === undefined || first.text.length === prefix.length + 1)
        throw unknown(first);
      const { columns, join, numTables: added } = neighbours[prefix] as (typeof neighbours)[string];
      const alias = joined(first.text, first.offset, added, (table) => join(table, "node"));
      return operand(alias, own(columns, (second as FilterToken).text), second as FilterToken);
    },
    number: ({ kind: tokenKind, text, offset }, isNegative) => {
      if (tokenKind === "float") return literal("double", Number(text) * (isNegative ? -1 : 1), offset);
      const value = BigInt(text) * (isNegative ? -1n : 1n);
      if (BigInt.asIntN(64, value) !== value)
        throw filterError(`must not have integers beyond int64 (-2^63 to 2^63 - 1), found ${value}`, offset);
      return literal("int", value, offset);
    },
    enumValue: (numbers, { text, offset }) => {
      const number = own(numbers, text);
      if (number === undefined) {
        throw filterError(
          `must use one of the names ${Object.keys(numbers).join(", ")}, found ${text}`,
          offset,
        );
      }
      return literal("enum", BigInt(number), offset);
    },
    joins: () => joins.join(" "),
    params: () => [...joinParams, ...literals],
  };
}

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
