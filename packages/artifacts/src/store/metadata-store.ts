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

/** Access to the nodes of one kind. Lists are ordered by id unless stated otherwise, and omit nodes that do not exist. */
export interface NodeStore<Node, Input> {
  /**
   * Inserts or replaces all nodes in one transaction, and returns their ids.
   * @throws {ArgumentError} `invalid-argument` (`unknown-type`, `unknown-entity`, `undeclared-property`, `property-type`,
   * `property-value`, `fixed-member`), and (`already-exists`) for a name or external id that another node has.
   * @throws {SourceError} `io-failed` (`entity-changed`) for a node that changed after it was read, and (`store-busy`).
   */
  put(nodes: readonly Input[]): readonly number[];
  /** Returns the nodes by id, in the order of `ids`. */
  byId(ids: readonly number[]): readonly Node[];
  /** Returns the nodes of a type. Without `version`, the type is the one without a version. */
  byType(type: string, version?: string): readonly Node[];
  /** Returns the node with this type and name, or undefined. */
  byName(type: string, name: string, version?: string): Node | undefined;
  byExternalId(externalIds: readonly string[]): readonly Node[];
  /** Returns the nodes that match a filter, in the order of `options.orderBy`. Default: all nodes, by id. */
  list(options?: ListOptions): readonly Node[];
  /** Returns one page of {@link NodeStore.list}. Each page reflects the store at the time of its call. */
  page(options?: PageOptions): Page<Node>;
}

/** Access to nodes that contexts can hold. */
interface MemberStore<Node, Input> extends NodeStore<Node, Input> {
  byContext(contextId: number): readonly Node[];
}
export interface ArtifactStore extends MemberStore<Artifact, ArtifactInput> {
  byUri(uri: string): readonly Artifact[];
}
export type ExecutionStore = MemberStore<Execution, ExecutionInput>;
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
 * An ML Metadata store. Calls are synchronous. Each is a short transaction on a local file, and waits at most
 * `busyTimeoutMs` for the lock of another process.
 */
export interface MetadataStore {
  /** Path of the file. */
  readonly path: string;
  readonly types: TypeStore;
  readonly artifacts: ArtifactStore;
  readonly executions: ExecutionStore;
  readonly contexts: ContextStore;
  readonly events: EventStore;
  readonly links: LinkStore;
  /** Returns the part of the graph that events connect to the starting nodes. */
  lineage(options: LineageOptions): Lineage;
  /**
   * Runs several calls as one transaction: either all changes are stored or none, and no other process writes in between.
   * @param body Must be synchronous. If it throws, all changes are undone and the error is thrown again.
   */
  transaction<Result>(body: () => Result): Result;
  /** Closes the file. Later calls fail. */
  close(): void;
}

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
  // Members that a kind lacks are never set, so the cast to its node type is safe.
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
