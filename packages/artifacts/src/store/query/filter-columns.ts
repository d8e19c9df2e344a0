import { ARTIFACT_STATES, EVENT_TYPES, EXECUTION_STATES, type NodeKind, TYPE_KINDS } from "../names.js";
import { NODE_TABLES } from "../node-kinds.js";

/** The type of an expression in a filter query. A query compares an enum with the names of its values. */
export type FilterType = "int" | "double" | "string" | "bool" | "enum";

/** A column that a query may name. */
export interface FilterColumn {
  readonly column: string;
  readonly type: FilterType;
  /** Numbers of an enum's values, by name; undefined for other types. */
  readonly numbers?: Readonly<Record<string, number>>;
}

/** A table that a query can join to the node. The query chooses the suffix of the table's name, such as `_a` in `contexts_a`. */
export interface FilterNeighbour {
  /** The columns that a query may use, by name. */
  readonly columns: Readonly<Record<string, FilterColumn>>;
  /** Returns the SQL of the join. `alias` is the name of the neighbour's table, and `base` is that of the node's table. */
  readonly join: (alias: string, base: string) => string;
  /** Number of tables in the join. */
  readonly numTables: number;
}

const int = (column: string): FilterColumn => ({ column, type: "int" });
const string = (column: string): FilterColumn => ({ column, type: "string" });
const artifactState: FilterColumn = { column: "state", type: "enum", numbers: ARTIFACT_STATES };
const executionState: FilterColumn = { column: "last_known_state", type: "enum", numbers: EXECUTION_STATES };
const times = {
  create_time_since_epoch: int("create_time_since_epoch"),
  last_update_time_since_epoch: int("last_update_time_since_epoch"),
};
const neighbour = { id: int("id"), name: string("name"), type: string("type"), ...times };

/** Returns the columns of a node's own attributes, by name. The column of `type` comes from {@link typeJoin}. */
export function attributesOf(kind: NodeKind): Readonly<Record<string, FilterColumn>> {
  return {
    ...neighbour,
    type_id: int("type_id"),
    external_id: string("external_id"),
    ...(kind === "artifact" ? { uri: string("uri"), state: artifactState } : {}),
    ...(kind === "execution" ? { last_known_state: executionState } : {}),
  };
}

/** Returns the SQL of the join that provides the attribute `type`. */
export function typeJoin(kind: NodeKind, alias: string, base: string): string {
  return `JOIN (SELECT id AS type_id, name AS type FROM Type WHERE type_kind = ${TYPE_KINDS[kind]}) AS ${alias} ON ${base}.type_id = ${alias}.type_id`;
}

/** Returns the SQL of the join that provides a property. The SQL has one parameter, the name of the property. */
export function propertyJoin(kind: NodeKind, isCustom: boolean, alias: string, base: string): string {
  const { table, idColumn } = NODE_TABLES[kind];
  return `JOIN (SELECT ${idColumn}, int_value, double_value, string_value, bool_value FROM ${table}Property WHERE name = ? AND is_custom_property = ${isCustom ? 1 : 0}) AS ${alias} ON ${base}.id = ${alias}.${idColumn}`;
}

/** Columns that hold the value of a property, one per value type that a query can use. */
export const PROPERTY_VALUES: Readonly<Record<string, FilterColumn>> = {
  int_value: int("int_value"),
  double_value: { column: "double_value", type: "double" },
  string_value: string("string_value"),
  bool_value: { column: "bool_value", type: "bool" },
};

/** Returns the neighbours of nodes of this kind. A key is the prefix of a neighbour's name, like `contexts` in `contexts_a`. */
export function neighboursOf(kind: NodeKind): Readonly<Record<string, FilterNeighbour>> {
  if (kind === "context") {
    return {
      artifacts: members("artifact", "Attribution", { uri: string("uri"), state: artifactState }),
      executions: members("execution", "Association", { last_known_state: executionState }),
      parent_contexts: contexts("ParentContext", "parent_context_id", "context_id"),
      child_contexts: contexts("ParentContext", "context_id", "parent_context_id"),
    };
  }
  const { idColumn } = NODE_TABLES[kind];
  const other = kind === "artifact" ? "execution_id" : "artifact_id";
  return {
    contexts: contexts(kind === "artifact" ? "Attribution" : "Association", "context_id", idColumn),
    events: {
      columns: {
        type: { column: "type", type: "enum", numbers: EVENT_TYPES },
        milliseconds_since_epoch: int("milliseconds_since_epoch"),
        [other]: int(other),
      },
      join: (alias, base) => `JOIN Event AS ${alias} ON ${base}.id = ${alias}.${idColumn}`,
      numTables: 1,
    },
  };
}

function contexts(link: string, own: string, linked: string): FilterNeighbour {
  return {
    columns: neighbour,
    join: (alias, base) =>
      `JOIN (SELECT Context.*, Type.name AS type, ${link}.${linked} AS linked_id FROM Context JOIN Type ON Context.type_id = Type.id JOIN ${link} ON Context.id = ${link}.${own}) AS ${alias} ON ${base}.id = ${alias}.linked_id`,
    numTables: 3,
  };
}

function members(
  kind: "artifact" | "execution",
  link: string,
  columns: Readonly<Record<string, FilterColumn>>,
): FilterNeighbour {
  const { table, idColumn } = NODE_TABLES[kind];
  return {
    columns: { ...neighbour, external_id: string("external_id"), ...columns },
    join: (alias, base) =>
      `JOIN (SELECT ${table}.*, Type.name AS type, ${link}.context_id AS linked_id FROM ${table} JOIN Type ON ${table}.type_id = Type.id JOIN ${link} ON ${table}.id = ${link}.${idColumn}) AS ${alias} ON ${base}.id = ${alias}.linked_id`,
    numTables: 3,
  };
}
