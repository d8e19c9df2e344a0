import type { ArtifactState, EventType, ExecutionState, PropertyType } from "./names.js";
import type { Properties } from "./values/property-value.js";

/** Members shared by artifacts, executions and contexts. */
interface StoredNode {
  readonly id: number;
  readonly typeId: number;
  /** Name of the type. */
  readonly type: string;
  /** Version of the type. A type without a version is distinct from the types that have the same name and a version. */
  readonly typeVersion?: string | undefined;
  /** Unique among the nodes of this type; undefined if not set. */
  readonly name?: string | undefined;
  /** Unique among all nodes of this kind (artifacts, executions or contexts); undefined if not set. */
  readonly externalId?: string | undefined;
  /** Properties that the type declares. */
  readonly properties: Properties;
  /** Properties of any name and type. */
  readonly customProperties: Properties;
  /** Time of creation, in milliseconds since 1970. The store sets it. */
  readonly createTimeMs: number;
  /** Time of the last change, in milliseconds since 1970. Every change to the node increases this value. */
  readonly lastUpdateTimeMs: number;
}

/** A record of data at a URI. The store holds only this record, not the data. */
export interface Artifact extends StoredNode {
  /** Empty when not set. */
  readonly uri: string;
  /** Undefined when not set. "UNKNOWN" also represents states that this package does not know. */
  readonly state?: ArtifactState | undefined;
}

/** One run of a component. */
export interface Execution extends StoredNode {
  readonly lastKnownState?: ExecutionState | undefined;
}

/** A group of artifacts and executions, such as a pipeline or one run of a pipeline. */
export interface Context extends StoredNode {
  readonly name: string;
}

/**
 * A node to write. Without `id`, the node is new and requires either `typeId`, or `type` (and `typeVersion` if the type has a
 * version). With `id`, the input replaces the whole stored node: omitted members are removed, except the type and the name,
 * which cannot change. If `lastUpdateTimeMs` is also given, the write fails unless the stored node still has this time. A
 * node from a read call has `id` and `lastUpdateTimeMs`, so it can be written back safely. `createTimeMs` is ignored.
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
  /** Name of the system type from which this type derives, such as `mlmd.Dataset`. */
  readonly baseType?: string | undefined;
  /** Declared inputs of an execution type: JSON of `ml_metadata.ArtifactStructType`. */
  readonly inputType?: string | undefined;
  /** Declared outputs of an execution type, in the same form as `inputType`. */
  readonly outputType?: string | undefined;
}
export type NodeTypeInput = Pick<NodeType, "name"> & Partial<Omit<NodeType, "id">>;

/** One step of an event's path: the name of a channel, or a 0-based position in a channel. */
export type EventStep = string | number;

/** Links an execution to an artifact that it reads or writes. */
export interface Event {
  readonly artifactId: number;
  readonly executionId: number;
  readonly type: EventType;
  readonly path: readonly EventStep[];
  /** Time of the event, in milliseconds since 1970. */
  readonly timeMs: number;
}
export type EventInput = Omit<Event, "path" | "timeMs"> & Partial<Event>;
