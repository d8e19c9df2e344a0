import type { ArtifactState, EventType, ExecutionState, PropertyType } from "./names.js";
import type { Properties } from "./values/property-value.js";

/** Members shared by artifacts, executions and contexts. */
interface StoredNode {
  readonly id: number;
  readonly typeId: number;
  /** Name of the type. */
  readonly type: string;
  /** Version of the type. A type without a version differs from every type with one. */
  readonly typeVersion?: string | undefined;
  /** Unique among the nodes of the type; undefined if not set. */
  readonly name?: string | undefined;
  /** Unique among all nodes of the kind; undefined if not set. */
  readonly externalId?: string | undefined;
  /** Properties that the type declares. */
  readonly properties: Properties;
  /** Properties of any name and type. */
  readonly customProperties: Properties;
  /** Milliseconds since 1970. */
  readonly createTimeMs: number;
  /** Milliseconds since 1970. Every change of the node increases it. */
  readonly lastUpdateTimeMs: number;
}

/** Data at a URI. */
export interface Artifact extends StoredNode {
  /** Empty when not set. */
  readonly uri: string;
  /** Undefined when not set. A state that this package does not know is "UNKNOWN". */
  readonly state?: ArtifactState | undefined;
}

/** One run of a component. */
export interface Execution extends StoredNode {
  readonly lastKnownState?: ExecutionState | undefined;
}

/** A group of artifacts and executions, such as a pipeline or a run of it. */
export interface Context extends StoredNode {
  readonly name: string;
}

/**
 * A node to write. Without `id`, it is new and needs `typeId`, or `type` and the `typeVersion` if the type has one.
 * With `id`, it replaces the whole stored node. Omitted members are removed, except type and name, which cannot change.
 * With `id` and `lastUpdateTimeMs`, as in a node that was read, the write fails if the node has changed since.
 */
type NodeInput<Node extends StoredNode> = Partial<Node>;
export type ArtifactInput = NodeInput<Artifact>;
export type ExecutionInput = NodeInput<Execution>;
export type ContextInput = NodeInput<Context>;

/** A node type. */
export interface NodeType {
  readonly id: number;
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly externalId?: string | undefined;
  /** Types of the declared properties by name. */
  readonly properties: Readonly<Record<string, PropertyType>>;
  /** The system type that it derives from, such as `mlmd.Dataset`. */
  readonly baseType?: string | undefined;
  /** Declared inputs of an execution type: JSON of `ml_metadata.ArtifactStructType`. */
  readonly inputType?: string | undefined;
  readonly outputType?: string | undefined;
}
export type NodeTypeInput = Pick<NodeType, "name"> & Partial<Omit<NodeType, "id">>;

/** One step of an event's path: the name of a channel, or a position in it. */
export type EventStep = string | number;

/** An artifact as input or output of an execution. */
export interface Event {
  readonly artifactId: number;
  readonly executionId: number;
  readonly type: EventType;
  readonly path: readonly EventStep[];
  /** Milliseconds since 1970. */
  readonly timeMs: number;
}
export type EventInput = Omit<Event, "path" | "timeMs"> & Partial<Event>;
