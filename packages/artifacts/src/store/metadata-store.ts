import type { Database } from "./database.js";
import type {
  Artifact,
  ArtifactInput,
  Context,
  ContextInput,
  Execution,
  ExecutionInput,
} from "./entities.js";
import { type EventStore, eventStore } from "./events.js";
import { type LinkStore, linkStore } from "./links.js";
import type { NodeTables } from "./node-kinds.js";
import { NODE_TABLES } from "./node-kinds.js";
import { type TypeStore, typeStore } from "./node-types.js";
import { type AnyNode, type NodeRows, nodeRows } from "./nodes.js";
import { type Lineage, type LineageOptions, lineage } from "./query/lineage.js";
import { type ListOptions, listIds, type Page, type PageOptions, pageIds } from "./query/list-nodes.js";

/**
 * Access to the nodes of one kind: artifacts, executions or contexts. Returned lists are ordered by id unless stated
 * otherwise. Ids and external ids without a stored node are skipped.
 */
export interface NodeStore<Node, Input> {
  /**
   * Inserts or replaces all nodes in one transaction. Returns their ids in the order of `nodes`.
   * @throws {ArgumentError} `invalid-argument` (`unknown-type`, `unknown-entity`, `undeclared-property`, `property-type`,
   * `property-value`, `fixed-member`) for an invalid node, (`already-exists`) for a node whose name belongs to another node of
   * the same type, or whose external id belongs to another node of the same kind.
   * @throws {SourceError} `io-failed` (`entity-changed`) for a node that has changed since it was read, (`store-busy`) if
   * another process holds the lock for too long.
   */
  put(nodes: readonly Input[]): readonly number[];
  /** Returns the nodes by id, in the order of `ids`. */
  byId(ids: readonly number[]): readonly Node[];
  /** Returns the nodes of a type. Without `version`, returns the nodes of the type that has no version. */
  byType(type: string, version?: string): readonly Node[];
  /** Returns the node with this type and name, or undefined. `version` selects the type as in {@link NodeStore.byType}. */
  byName(type: string, name: string, version?: string): Node | undefined;
  /** Returns the nodes with these external ids. */
  byExternalId(externalIds: readonly string[]): readonly Node[];
  /**
   * Returns the nodes that match `options.filter`, in the order of `options.orderBy`. Default: all nodes, ordered by id.
   * @throws {ArgumentError} `invalid-argument` (`filter-query`) for a filter that cannot be parsed.
   */
  list(options?: ListOptions): readonly Node[];
  /**
   * Returns one page of {@link NodeStore.list}. Each page reflects the store at the time of its call.
   * @throws {ArgumentError} `invalid-argument` (`filter-query`), or (`page-token`) for a token that is malformed or comes from
   * a call with another filter or order.
   */
  page(options?: PageOptions): Page<Node>;
}

/** Access to nodes that contexts can hold: artifacts or executions. */
interface MemberStore<Node, Input> extends NodeStore<Node, Input> {
  /** Returns the nodes that the context holds directly. */
  byContext(contextId: number): readonly Node[];
}
/** Access to artifacts. */
export interface ArtifactStore extends MemberStore<Artifact, ArtifactInput> {
  /** Returns the artifacts with exactly this URI. The URI is not normalized. */
  byUri(uri: string): readonly Artifact[];
}
/** Access to executions. */
export type ExecutionStore = MemberStore<Execution, ExecutionInput>;
/** Access to contexts. */
export interface ContextStore extends NodeStore<Context, ContextInput> {
  /** Returns the contexts that hold the artifact. */
  byArtifact(artifactId: number): readonly Context[];
  /** Returns the contexts that hold the execution. */
  byExecution(executionId: number): readonly Context[];
  /** Returns the contexts that directly contain this one. */
  parents(contextId: number): readonly Context[];
  /** Returns the contexts that this one directly contains. */
  children(contextId: number): readonly Context[];
}

/**
 * An open ML Metadata store. All calls are synchronous. Each call is a short transaction on a local file. A statement that needs
 * a lock waits at most `busyTimeoutMs` for another process to release it.
 */
export interface MetadataStore {
  /** Absolute path of the file. */
  readonly path: string;
  readonly types: TypeStore;
  readonly artifacts: ArtifactStore;
  readonly executions: ExecutionStore;
  readonly contexts: ContextStore;
  readonly events: EventStore;
  readonly links: LinkStore;
  /**
   * Follows events from the nodes that `options` selects. Returns the part of the graph that consists of these nodes, the nodes
   * reached, the events between them, and their contexts.
   */
  lineage(options: LineageOptions): Lineage;
  /**
   * Runs several calls as one transaction, and returns the result of `body`. Either all changes are stored or none, and no
   * other process writes in between.
   * @param body Makes the calls. It must be synchronous. If it throws, all changes are undone and the error is thrown again.
   * @throws {ArgumentError} `invalid-argument` (`async-transaction`) if `body` returns a promise.
   */
  transaction<Result>(body: () => Result): Result;
  /** Closes the file. Later calls fail. */
  close(): void;
}

/** Returns a store that uses `database`, which must already have the tables. Closing the store closes the database. */
export function storeOf(database: Database): MetadataStore {
  const types = typeStore(database);
  const events = eventStore(database);
  const links = linkStore(database);
  const artifacts = nodeRows(database, NODE_TABLES.artifact, types);
  const executions = nodeRows(database, NODE_TABLES.execution, types);
  const contexts = nodeRows(database, NODE_TABLES.context, types);
  const linked = (
    rows: NodeRows,
    { table }: NodeTables,
    [link, own, other]: readonly string[],
    id: number,
  ): AnyNode[] => rows.where(`${table}.id IN (SELECT ${own} FROM ${link} WHERE ${other} = ?)`, BigInt(id));
  const linkedContexts = (link: readonly string[], id: number): readonly Context[] =>
    linked(contexts, NODE_TABLES.context, link, id) as unknown as readonly Context[];
  return {
    path: database.path,
    types,
    events,
    links,
    artifacts: {
      ...nodeStore<Artifact, ArtifactInput>(database, NODE_TABLES.artifact, artifacts),
      byUri: (uri) => artifacts.where("Artifact.uri = ?", uri) as readonly Artifact[],
      byContext: (id) =>
        linked(
          artifacts,
          NODE_TABLES.artifact,
          ["Attribution", "artifact_id", "context_id"],
          id,
        ) as Artifact[],
    },
    executions: {
      ...nodeStore<Execution, ExecutionInput>(database, NODE_TABLES.execution, executions),
      byContext: (id) =>
        linked(executions, NODE_TABLES.execution, ["Association", "execution_id", "context_id"], id),
    },
    contexts: {
      ...nodeStore<Context, ContextInput>(database, NODE_TABLES.context, contexts),
      byArtifact: (id) => linkedContexts(["Attribution", "context_id", "artifact_id"], id),
      byExecution: (id) => linkedContexts(["Association", "context_id", "execution_id"], id),
      parents: (id) => linkedContexts(["ParentContext", "parent_context_id", "context_id"], id),
      children: (id) => linkedContexts(["ParentContext", "context_id", "parent_context_id"], id),
    },
    lineage: (options) => lineage(database, { events, links }, options),
    transaction: (body) => database.write(body),
    close: () => database.close(),
  };
}

function nodeStore<Node, Input>(
  database: Database,
  tables: NodeTables,
  rows: NodeRows,
): NodeStore<Node, Input> {
  const { kind, table } = tables;
  // Members that do not exist for this kind are never set, so the cast to its node type is safe.
  const nodes = (list: readonly AnyNode[]): readonly Node[] => list as unknown as readonly Node[];
  const typed = (version: string | undefined): string =>
    `Type.name = ? AND Type.version ${version === undefined ? "IS NULL" : "= ?"}`;
  return {
    put: (inputs) => rows.write(inputs as readonly Partial<AnyNode>[]),
    byId: (ids) => nodes(rows.read(ids)),
    byType: (type, version) =>
      nodes(rows.where(typed(version), type, ...(version === undefined ? [] : [version]))),
    byName: (type, name, version) =>
      nodes(
        rows.where(
          `${typed(version)} AND ${table}.name = ?`,
          type,
          ...(version === undefined ? [] : [version]),
          name,
        ),
      )[0],
    byExternalId: (externalIds) =>
      nodes(
        rows.where(`${table}.external_id IN (SELECT value FROM json_each(?))`, JSON.stringify(externalIds)),
      ),
    list: (options = {}) => database.read(() => nodes(rows.read(listIds(database, kind, options)))),
    page: (options = {}) =>
      database.read(() => {
        const { ids, nextPageToken } = pageIds(database, kind, options);
        return { nodes: nodes(rows.read(ids)), nextPageToken };
      }),
  };
}
