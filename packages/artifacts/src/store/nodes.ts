import {
  aListOf,
  anInteger,
  anObject,
  assertArgument,
  assertKeys,
  invalidArgument,
  oneOf,
  unusableArgument,
} from "@tfxio/wire/checks";
import { SourceError } from "@tfxio/wire/errors";
import type { Database } from "./database.js";
import type { SqlRow, SqlValue } from "./drivers/driver.js";
import type { Artifact, Execution, NodeType } from "./entities.js";
import { nameOf } from "./names.js";
import type { NodeTables } from "./node-kinds.js";
import type { TypeStore } from "./node-types.js";
import { readProperties, replaceProperties } from "./node-properties.js";
import { assertId, idList, safeInteger, textOrUndefined } from "./sql-values.js";
import { assertText } from "./values/value-errors.js";

/** A node of any kind. It has the members of all kinds; those that its own kind lacks are never set. */
export type AnyNode = Omit<Artifact, "uri"> &
  Partial<Pick<Artifact, "uri">> &
  Pick<Execution, "lastKnownState">;

/** Keys that a node passed to `write` may have, whatever its kind. */
const NODE_KEYS = [
  "id",
  "typeId",
  "type",
  "typeVersion",
  "name",
  "externalId",
  "properties",
  "customProperties",
  "createTimeMs",
  "lastUpdateTimeMs",
];

/** Reads and writes the nodes of one kind. */
export interface NodeRows {
  /** Returns the nodes with these ids, in the order of `ids`. Unknown ids are skipped. */
  read(ids: readonly number[]): AnyNode[];
  /** Returns the nodes that match an SQL condition on columns of the kind's table and of the table `Type`, ordered by id. */
  where(condition: string, ...params: readonly SqlValue[]): AnyNode[];
  /** Inserts or replaces all nodes in one transaction, and returns their ids. */
  write(nodes: readonly Partial<AnyNode>[]): number[];
}

export function nodeRows(database: Database, tables: NodeTables, types: TypeStore): NodeRows {
  const { kind, table, state, hasUri } = tables;
  const keys = [...NODE_KEYS, ...(hasUri ? ["uri"] : []), ...(state === undefined ? [] : [state.member])];
  const select = (condition: string, ...params: readonly SqlValue[]): AnyNode[] =>
    database.read(() => {
      const rows = database.all(
        `SELECT ${table}.*, Type.name AS type_name, Type.version AS type_version FROM ${table} LEFT JOIN Type ON Type.id = ${table}.type_id WHERE ${condition} ORDER BY ${table}.id`,
        ...params,
      );
      const properties = readProperties(
        database,
        tables,
        rows.map(({ id }) => safeInteger(id, "id")),
      );
      return rows.map((row) => ({
        ...columnsOf(row, tables),
        ...(properties.get(Number(row["id"])) ?? { properties: {}, customProperties: {} }),
      }));
    });
  const read = (ids: readonly number[]): AnyNode[] => {
    assertArgument("ids", ids, aListOf("a list of ids", anInteger(0)), `${kind}s.byId`);
    const byId = new Map(
      select(`${table}.id IN (SELECT value FROM json_each(?))`, idList(ids)).map((node) => [node.id, node]),
    );
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
  const writeOne = (node: Partial<AnyNode>): number => {
    assertKeys(`${kind}s.put`, node, keys);
    checkText(node);
    const stored = node.id === undefined ? undefined : storedNode(database, tables, read, node);
    const type = stored === undefined ? newType(tables, types, node) : types.byId(kind, [stored.typeId])[0];
    if (type === undefined) {
      throw unusableArgument("id", `refers to ${kind} ${node.id}, whose type is not in the store`, {
        reason: "unknown-type",
      });
    }
    const stateName = state === undefined ? undefined : node[state.member];
    if (stateName !== undefined && state !== undefined) {
      assertArgument(state.member, stateName, oneOf(...Object.keys(state.numbers)));
    }
    if (kind === "context" && (node.name ?? stored?.name ?? "") === "") {
      throw invalidArgument("name", "a non-empty string for a context", node.name);
    }
    const columns: Record<string, SqlValue> = {
      type_id: BigInt(type.id),
      external_id: node.externalId ?? null,
    };
    if (hasUri) columns["uri"] = node.uri ?? "";
    if (state !== undefined) {
      columns[state.column] = stateName === undefined ? null : BigInt(state.numbers[stateName] as number);
    }
    // The time always increases, even for two changes within one millisecond, so that a reader notices every change.
    const time = BigInt(Math.max(Date.now(), (stored?.lastUpdateTimeMs ?? -1) + 1));
    columns["last_update_time_since_epoch"] = time;
    const id =
      stored?.id ??
      insertRow(database, table, { ...columns, name: node.name ?? null, create_time_since_epoch: time });
    if (stored !== undefined) updateRow(database, table, id, columns);
    replaceProperties(database, tables, { id, node, type });
    return id;
  };
  return {
    read,
    where: select,
    write: (nodes) => {
      assertArgument(`${kind}s`, nodes, aListOf(`a list of ${kind}s`, anObject));
      return database.write(() => nodes.map(writeOne));
    },
  };
}

function columnsOf(
  row: SqlRow,
  { table, state, hasUri }: NodeTables,
): Omit<AnyNode, "properties" | "customProperties"> {
  const stateValue = state === undefined ? null : (row[state.column] ?? null);
  return {
    id: safeInteger(row["id"], `${table}.id`),
    typeId: safeInteger(row["type_id"], `${table}.type_id`),
    type: textOrUndefined(row["type_name"]) ?? "",
    typeVersion: textOrUndefined(row["type_version"]),
    name: textOrUndefined(row["name"]),
    externalId: textOrUndefined(row["external_id"]),
    createTimeMs: safeInteger(row["create_time_since_epoch"], `${table}.create_time_since_epoch`),
    lastUpdateTimeMs: safeInteger(
      row["last_update_time_since_epoch"],
      `${table}.last_update_time_since_epoch`,
    ),
    ...(hasUri ? { uri: textOrUndefined(row["uri"]) ?? "" } : {}),
    ...(state === undefined || stateValue === null
      ? {}
      : { [state.member]: nameOf(state.numbers, stateValue) ?? "UNKNOWN" }),
  };
}

function storedNode(
  database: Database,
  { kind }: NodeTables,
  read: NodeRows["read"],
  node: Partial<AnyNode>,
): AnyNode {
  const id = node.id as number;
  assertId("id", id);
  const [stored] = read([id]);
  if (stored === undefined) {
    throw unusableArgument("id", `must be the id of a stored ${kind}, found ${id}`, {
      reason: "unknown-entity",
    });
  }
  for (const member of ["typeId", "type", "typeVersion", "name"] as const) {
    // ML Metadata allows renaming a context. Here names are fixed, because other programs could not find a renamed context.
    if (node[member] !== undefined && node[member] !== stored[member]) {
      throw unusableArgument(
        member,
        `of ${kind} ${id} must stay ${stored[member] ?? "unset"}, found ${node[member]}`,
        {
          reason: "fixed-member",
        },
      );
    }
  }
  if (node.lastUpdateTimeMs !== undefined && node.lastUpdateTimeMs !== stored.lastUpdateTimeMs) {
    throw new SourceError(
      "io-failed",
      `${database.path}: ${kind} ${id} has changed since it was read; read it again. The given lastUpdateTimeMs is ${node.lastUpdateTimeMs}, but the stored one is ${stored.lastUpdateTimeMs}.`,
      { uri: database.path, reason: "entity-changed" },
    );
  }
  return stored;
}

function newType(
  { kind }: NodeTables,
  types: TypeStore,
  { typeId, type, typeVersion }: Partial<AnyNode>,
): NodeType {
  if (typeId === undefined && type === undefined) {
    throw unusableArgument("type", `or typeId must be given for a new ${kind}`);
  }
  const found =
    typeId === undefined ? types.get(kind, type as string, typeVersion) : types.byId(kind, [typeId])[0];
  const isFitting =
    (type === undefined || found?.name === type) &&
    (typeVersion === undefined || found?.version === typeVersion);
  if (found !== undefined && isFitting) return found;
  throw unusableArgument(
    "type",
    `must be a stored ${kind} type that agrees with any given typeId and typeVersion, found ${type ?? `id ${typeId}`}`,
    {
      reason: "unknown-type",
    },
  );
}

function checkText(node: Partial<AnyNode>): void {
  for (const member of ["name", "externalId", "uri"] as const) {
    const text = node[member];
    if (text === undefined) continue;
    if (typeof text !== "string") throw invalidArgument(member, "a string", text);
    assertText(member, text);
  }
}

function insertRow(database: Database, table: string, columns: Readonly<Record<string, SqlValue>>): number {
  const names = Object.keys(columns);
  return database.insert(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    ...Object.values(columns),
  );
}

function updateRow(
  database: Database,
  table: string,
  id: number,
  columns: Readonly<Record<string, SqlValue>>,
): void {
  const assignments = Object.keys(columns).map((name) => `${name} = ?`);
  database.run(
    `UPDATE ${table} SET ${assignments.join(", ")} WHERE id = ?`,
    ...Object.values(columns),
    BigInt(id),
  );
}
