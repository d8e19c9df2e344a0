import { aListOf, anObject, assertArgument, assertKeys, unusableArgument } from "@tfxio/wire/checks";
import type { Database } from "./database.js";
import { assertStored } from "./events.js";
import { idList, safeInteger } from "./sql-values.js";

/** The membership of an artifact in a context. */
export interface Attribution {
  readonly contextId: number;
  readonly artifactId: number;
}
/** The membership of an execution in a context. */
export interface Association {
  readonly contextId: number;
  readonly executionId: number;
}
/** The membership of a child context in a parent context. */
export interface ParentContext {
  readonly childId: number;
  readonly parentId: number;
}
/** Memberships to add to a store. */
export interface Links {
  readonly attributions?: readonly Attribution[];
  readonly associations?: readonly Association[];
  readonly parents?: readonly ParentContext[];
}

/** The memberships of a store: which artifacts, executions and child contexts each context holds. */
export interface LinkStore {
  /**
   * Adds memberships in one transaction. Attributions and associations that already exist are accepted and stay unchanged.
   * @throws {ArgumentError} `invalid-argument` (`unknown-entity`) for an unknown id, (`already-exists`) for a parent that the
   * child already has, (`context-cycle`) for a parent that is the child itself or lies inside it.
   */
  put(links: Links): void;
  /** Returns the memberships of the artifacts, ordered by context and artifact. */
  attributionsOf(artifactIds: Iterable<number>): readonly Attribution[];
  /** Returns the memberships of the executions, ordered by context and execution. */
  associationsOf(executionIds: Iterable<number>): readonly Association[];
  /** Returns the memberships of the contexts in their parents, ordered by child and parent. */
  parentsOf(contextIds: Iterable<number>): readonly ParentContext[];
}

export function linkStore(database: Database): LinkStore {
  return {
    put: (links) => {
      assertKeys("links.put", links, ["attributions", "associations", "parents"]);
      const { attributions = [], associations = [], parents = [] } = links;
      for (const [name, list] of Object.entries({ attributions, associations, parents })) {
        assertArgument(name, list, aListOf(`a list of ${name}`, anObject));
      }
      database.write(() => {
        for (const { contextId, artifactId } of attributions) {
          assertStored(database, "Context", contextId);
          assertStored(database, "Artifact", artifactId);
          insertOnce(database, "Attribution (context_id, artifact_id)", contextId, artifactId);
        }
        for (const { contextId, executionId } of associations) {
          assertStored(database, "Context", contextId);
          assertStored(database, "Execution", executionId);
          insertOnce(database, "Association (context_id, execution_id)", contextId, executionId);
        }
        for (const link of parents) putParent(database, link);
      });
    },
    attributionsOf: (ids) =>
      database
        .all(
          "SELECT context_id, artifact_id FROM Attribution WHERE artifact_id IN (SELECT value FROM json_each(?)) ORDER BY context_id, artifact_id",
          idList(ids),
        )
        .map((row) => ({
          contextId: safeInteger(row["context_id"], "Attribution.context_id"),
          artifactId: safeInteger(row["artifact_id"], "Attribution.artifact_id"),
        })),
    associationsOf: (ids) =>
      database
        .all(
          "SELECT context_id, execution_id FROM Association WHERE execution_id IN (SELECT value FROM json_each(?)) ORDER BY context_id, execution_id",
          idList(ids),
        )
        .map((row) => ({
          contextId: safeInteger(row["context_id"], "Association.context_id"),
          executionId: safeInteger(row["execution_id"], "Association.execution_id"),
        })),
    parentsOf: (ids) =>
      database
        .all(
          "SELECT context_id, parent_context_id FROM ParentContext WHERE context_id IN (SELECT value FROM json_each(?)) ORDER BY context_id, parent_context_id",
          idList(ids),
        )
        .map((row) => ({
          childId: safeInteger(row["context_id"], "ParentContext.context_id"),
          parentId: safeInteger(row["parent_context_id"], "ParentContext.parent_context_id"),
        })),
  };
}

function insertOnce(database: Database, into: string, first: number, second: number): void {
  database.run(`INSERT OR IGNORE INTO ${into} VALUES (?, ?)`, BigInt(first), BigInt(second));
}

function putParent(database: Database, { childId, parentId }: ParentContext): void {
  assertStored(database, "Context", childId);
  assertStored(database, "Context", parentId);
  const [cycle] = database.all(
    `WITH RECURSIVE Above(id) AS (VALUES (?) UNION SELECT parent_context_id FROM ParentContext JOIN Above ON context_id = Above.id)
     SELECT id FROM Above WHERE id = ?`,
    BigInt(parentId),
    BigInt(childId),
  );
  if (cycle !== undefined) {
    throw unusableArgument(
      "parents",
      `must not form a cycle: context ${parentId} cannot be the parent of context ${childId}, because context ${childId} contains it or is the same context`,
      {
        reason: "context-cycle",
      },
    );
  }
  database.run(
    "INSERT INTO ParentContext (context_id, parent_context_id) VALUES (?, ?)",
    BigInt(childId),
    BigInt(parentId),
  );
}
