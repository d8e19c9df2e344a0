import { assertArgument, membersOf, rule } from "@tfxio/wire/checks";
import { aMetadataStore } from "../store/a-metadata-store.js";
import type { Artifact, Execution } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import type { EventType } from "../store/names.js";
import type { Lineage } from "../store/query/lineage.js";

/** An artifact or execution of a lineage, with its neighbours. */
export interface GraphNode {
  /** Unique in the graph: `a1` for artifact 1, `e1` for execution 1. */
  readonly key: string;
  /** The label from {@link artifactLabel} or {@link executionLabel}. */
  readonly label: string;
  readonly isArtifact: boolean;
  /** Keys of the nodes directly downstream. */
  readonly downstream: readonly string[];
  /** Keys of the nodes directly upstream. */
  readonly upstream: readonly string[];
}

const INPUTS: ReadonlySet<EventType> = new Set(["INPUT", "DECLARED_INPUT", "INTERNAL_INPUT"]);

const aLineage = rule("a result of store.lineage", (value) => {
  const { artifactIds, executionIds, events } = membersOf(value);
  return [artifactIds, executionIds, events].every(Array.isArray);
});

/**
 * Returns the nodes of a lineage by key, artifacts first. Their edges are ordered by the time of the events. Several events
 * from one node to another, such as PENDING_OUTPUT and OUTPUT, become one edge.
 */
export function lineageGraph(store: MetadataStore, lineage: Lineage): Map<string, GraphNode> {
  assertArgument("store", store, aMetadataStore);
  assertArgument("lineage", lineage, aLineage);
  const { artifactIds, executionIds, events } = lineage;
  const nodes = new Map<string, GraphNode & { downstream: string[]; upstream: string[] }>();
  const add = (key: string, label: string, isArtifact: boolean): void => {
    nodes.set(key, { key, label, isArtifact, downstream: [], upstream: [] });
  };
  for (const artifact of store.artifacts.byId(artifactIds))
    add(`a${artifact.id}`, artifactLabel(artifact), true);
  for (const execution of store.executions.byId(executionIds))
    add(`e${execution.id}`, executionLabel(execution), false);
  for (const { artifactId, executionId, type } of events.toSorted((a, b) => a.timeMs - b.timeMs)) {
    const ends = [`a${artifactId}`, `e${executionId}`];
    const [from, to] = (INPUTS.has(type) ? ends : ends.toReversed()).map((key) => nodes.get(key));
    if (from === undefined || to === undefined || from.downstream.includes(to.key)) continue;
    from.downstream.push(to.key);
    to.upstream.push(from.key);
  }
  return nodes;
}

/** Describes an artifact by type, id, state, name and URI, such as `Examples 3 LIVE /data/x`. Unset members are left out. */
export function artifactLabel({ id, type, state, name, uri }: Artifact): string {
  return [type, id, state, name, uri].filter((part) => part !== undefined && part !== "").join(" ");
}

/** Describes an execution by type, id, state and name, such as `Trainer 4 COMPLETE`. Unset members are left out. */
export function executionLabel({ id, type, lastKnownState, name }: Execution): string {
  return [type, id, lastKnownState, name].filter((part) => part !== undefined).join(" ");
}
