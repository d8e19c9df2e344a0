import {
  aBoolean,
  anInteger,
  anObject,
  aString,
  assertMembers,
  assertOptions,
  oneOf,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { Database } from "../database.js";
import type { Event } from "../entities.js";
import type { EventStore } from "../events.js";
import type { Association, Attribution, LinkStore } from "../links.js";
import type { EventType } from "../names.js";
import { listIds } from "./list-nodes.js";

/** Options of a lineage query. */
export interface LineageOptions {
  /** Filter query that selects the artifacts to start from. Pass either this option or `fromExecutions`. */
  readonly fromArtifacts?: string;
  /** Filter query that selects the executions to start from. */
  readonly fromExecutions?: string;
  /** `"upstream"` follows events towards inputs, `"downstream"` towards outputs. Default: `"both"`. */
  readonly direction?: "upstream" | "downstream" | "both";
  /** Maximum number of events between a starting node and a result. 0 returns only the starting nodes. Default: no limit. */
  readonly maxHops?: number;
  /** Artifacts at which the query stops. Default: none. */
  readonly untilArtifacts?: LineageEnd;
  /** Executions at which the query stops. Default: none. */
  readonly untilExecutions?: LineageEnd;
}

/** Nodes at which a lineage query stops. */
export interface LineageEnd {
  /** Filter query that selects the nodes. */
  readonly filter: string;
  /** True to include these nodes in the result. Default false. */
  readonly isIncluded?: boolean;
}

/** A part of a store's graph. Ids are in ascending order. Events are in the order in which the query reached them. */
export interface Lineage {
  readonly artifactIds: readonly number[];
  readonly executionIds: readonly number[];
  /** Contexts of these artifacts and executions. */
  readonly contextIds: readonly number[];
  readonly events: readonly Event[];
  readonly attributions: readonly Attribution[];
  readonly associations: readonly Association[];
}

const INPUTS: ReadonlySet<EventType> = new Set(["INPUT", "DECLARED_INPUT", "INTERNAL_INPUT"]);
const anEnd = { filter: aString, isIncluded: aBoolean };

/** One side of the graph (artifacts or executions), with the progress of the query on that side. */
interface Side {
  readonly kind: "artifact" | "execution";
  /** Ids of the nodes reached so far, without `ends`. */
  readonly visited: Set<number>;
  /** Ids of the reached nodes at which the query stops. */
  readonly ends: Set<number>;
  readonly until: LineageEnd | undefined;
}

/**
 * Follows events breadth first, as ML Metadata does. If the filter query for the starting nodes matches no node, the result is
 * empty, whereas ML Metadata raises an error.
 * @throws {ArgumentError} `invalid-argument` for invalid options, (`filter-query`) for a filter query that cannot be parsed.
 * @see `QueryLineageSubgraph` of ML Metadata
 */
export function lineage(
  database: Database,
  { events, links }: { readonly events: EventStore; readonly links: LinkStore },
  options: LineageOptions,
): Lineage {
  checkOptions(options);
  const { fromArtifacts, fromExecutions, direction = "both", maxHops = Infinity } = options;
  return database.read(() => {
    const artifacts: Side = {
      kind: "artifact",
      visited: new Set(),
      ends: new Set(),
      until: options.untilArtifacts,
    };
    const executions: Side = {
      kind: "execution",
      visited: new Set(),
      ends: new Set(),
      until: options.untilExecutions,
    };
    const start = fromArtifacts === undefined ? executions : artifacts;
    const started = listIds(database, start.kind, { filter: fromArtifacts ?? (fromExecutions as string) });
    const edges: Event[] = [];
    let frontier = visit(database, start, started);
    for (let hop = 0; hop < maxHops && frontier.length > 0; hop += 1) {
      const isFromArtifacts = (start === artifacts) === (hop % 2 === 0);
      const target = isFromArtifacts ? executions : artifacts;
      const idOf = ({ executionId, artifactId }: Event): number =>
        isFromArtifacts ? executionId : artifactId;
      const reached = (isFromArtifacts ? events.ofArtifacts(frontier) : events.ofExecutions(frontier)).filter(
        ({ type }) =>
          direction === "both" || INPUTS.has(type) === (isFromArtifacts === (direction === "downstream")),
      );
      const known = new Set(target.visited);
      frontier = visit(database, target, reached.map(idOf));
      edges.push(
        ...reached.filter((event) => {
          const id = idOf(event);
          if (target.ends.has(id)) return target.until?.isIncluded === true;
          // A query in one direction never reaches an event twice. With direction "both", an event that leads back to a known
          // node is already in `edges`: the query added the event when it continued from that node.
          return !known.has(id) || direction !== "both";
        }),
      );
    }
    const [artifactIds, executionIds] = [answered(artifacts), answered(executions)];
    const attributions = links.attributionsOf(artifactIds);
    const associations = links.associationsOf(executionIds);
    return {
      artifactIds,
      executionIds,
      contextIds: ascending([...attributions, ...associations].map(({ contextId }) => contextId)),
      events: edges,
      attributions,
      associations,
    };
  });
}

/** Records newly reached nodes. Returns the ids of those from which the query continues. */
function visit(database: Database, { kind, visited, ends, until }: Side, ids: readonly number[]): number[] {
  const fresh = ascending(ids).filter((id) => !visited.has(id) && !ends.has(id));
  const stops =
    until === undefined || fresh.length === 0 ? [] : listIds(database, kind, { filter: until.filter });
  const stopped = new Set(stops);
  for (const id of fresh) (stopped.has(id) ? ends : visited).add(id);
  return fresh.filter((id) => !stopped.has(id));
}

function answered({ visited, ends, until }: Side): number[] {
  return ascending(until?.isIncluded === true ? [...visited, ...ends] : visited);
}

function ascending(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function checkOptions(options: LineageOptions): void {
  assertOptions("lineage", options, {
    fromArtifacts: aString,
    fromExecutions: aString,
    direction: oneOf("upstream", "downstream", "both"),
    maxHops: anInteger(0),
    untilArtifacts: anObject,
    untilExecutions: anObject,
  });
  for (const name of ["untilArtifacts", "untilExecutions"] as const) {
    const end = options[name];
    if (end !== undefined) assertMembers(name, end, anEnd);
  }
  const starts = [options.fromArtifacts, options.fromExecutions].filter((start) => start !== undefined);
  if (starts.length !== 1 || starts[0] === "") {
    throw unusableArgument(
      "fromArtifacts",
      "or fromExecutions, but not both, must be given as a non-empty filter query",
    );
  }
}
