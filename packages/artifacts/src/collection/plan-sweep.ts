import type { Artifact } from "../store/entities.js";
import { foldersOf, isInside, normaliseUri } from "../uris.js";
import { isCollectable, isCounting, isExternal, refsOf } from "./references.js";

/** Reasons to keep the bytes at a URI. */
export type KeepReason =
  | "EXTERNAL"
  | "OUTSIDE_ROOT"
  | "REFERENCED"
  | "CONTAINS_LIVE"
  | "INSIDE_LIVE"
  | "LOCKED"
  | "BEING_DELETED";

/** The decision about one URI. */
export interface SweepDecision {
  readonly uri: string;
  readonly action: "delete" | "keep";
  /** Undefined for "delete". */
  readonly reason: KeepReason | undefined;
  /** Ids of the artifacts at the URI that are marked or abandoned. */
  readonly ownerIds: readonly number[];
  /** Ids of the artifacts that prevent the deletion of the URI. */
  readonly blockingIds: readonly number[];
  /** The decision as a sentence for people. */
  readonly explanation: string;
}

/** Input of {@link planSweep}. */
export interface SweepInput {
  /** Artifacts of the store; deleted ones may be left out. */
  readonly artifacts: readonly Artifact[];
  /** Ids of the artifacts that executions in NEW or RUNNING read or write. */
  readonly lockedIds: ReadonlySet<number>;
  /** True for a normalised URI that may be deleted. */
  readonly isManaged: (uri: string) => boolean;
  /** Resolves the links in a normalised URI. Default: none are resolved. */
  readonly realPlace?: ((uri: string) => string) | undefined;
  /** Ids of artifacts that another sweep is deleting; default none. */
  readonly beingDeletedIds?: ReadonlySet<number>;
}

/**
 * Decides about every URI that a marked or abandoned artifact owns, in the order of the artifacts. A URI is deleted if it
 * lies in the managed root and overlaps neither imported data nor a URI that is still needed. Live artifacts and running
 * executions need URIs; an artifact counts as live unless it is marked, abandoned or deleted. Two URIs overlap if they are
 * equal or one contains the other, as written or after links are resolved. URIs without an owner are ignored, even if
 * artifacts refer to them.
 */
export function planSweep(input: SweepInput): SweepDecision[] {
  const { artifacts, lockedIds, isManaged, realPlace = (uri) => uri, beingDeletedIds } = input;
  const namesOf = (uri: string): readonly string[] => [...new Set([uri, realPlace(uri)])];
  const neededBy = (artifact: Artifact): readonly string[] => [...new Set(refsOf(artifact).flatMap(namesOf))];
  const owners = ownersOf(artifacts);
  const counting = uriIndex(artifacts.filter(isCounting), neededBy);
  const locked = uriIndex(
    artifacts.filter(({ id }) => lockedIds.has(id)),
    neededBy,
  );
  const imported = uriIndex(
    artifacts.filter((artifact) => artifact.state !== "DELETED" && isExternal(artifact)),
    ({ uri }) => (uri === "" ? [] : namesOf(normaliseUri(uri))),
  );
  return [...owners].map(([uri, own]) => {
    const ownerIds = own.filter(isCollectable).map(({ id }) => id);
    const keep = (reason: KeepReason, blocking: readonly Artifact[], why: string): SweepDecision => ({
      uri,
      action: "keep",
      reason,
      ownerIds,
      blockingIds: blocking.map(({ id }) => id),
      explanation: `${uri} stays: ${why}${blocking.length > 0 ? ` (${blocking.map(named).join(", ")})` : ""}.`,
    });
    const names = namesOf(uri);
    const external = across(names, imported.overlapping);
    if (external.length > 0)
      return keep("EXTERNAL", external, "it overlaps imported data, which the pipeline does not own");
    if (!isManaged(uri)) return keep("OUTSIDE_ROOT", [], "it lies outside the managed root");
    const same = across(names, counting.at);
    if (same.length > 0) return keep("REFERENCED", same, "an artifact refers to it");
    const within = across(names, counting.inside);
    if (within.length > 0) return keep("CONTAINS_LIVE", within, "an artifact refers to something inside");
    const around = across(names.flatMap(foldersOf), counting.at);
    if (around.length > 0)
      return keep("INSIDE_LIVE", around, "an artifact refers to a folder that contains it");
    const used = across(names, locked.overlapping);
    if (used.length > 0) return keep("LOCKED", used, "a running execution uses it");
    const taken = own.filter(({ id }) => beingDeletedIds?.has(id));
    if (taken.length > 0) return keep("BEING_DELETED", taken, "another sweep is deleting it");
    const explanation = `${uri} goes: ${own.filter(isCollectable).map(named).join(", ")} ${ownerIds.length === 1 ? "was its only owner" : "were its only owners"}.`;
    return { uri, action: "delete", reason: undefined, ownerIds, blockingIds: [], explanation };
  });
}

/** By URI: the artifacts at it that are not DELETED. Only URIs with a marked or abandoned artifact are included. */
function ownersOf(artifacts: readonly Artifact[]): Map<string, Artifact[]> {
  const owners = new Map<string, Artifact[]>();
  for (const artifact of artifacts) {
    if (artifact.uri !== "" && isCollectable(artifact)) owners.set(normaliseUri(artifact.uri), []);
  }
  for (const artifact of artifacts) {
    if (artifact.state !== "DELETED") owners.get(normaliseUri(artifact.uri))?.push(artifact);
  }
  return owners;
}

/** Artifacts by their URIs. */
interface UriIndex {
  readonly at: (uri: string) => readonly Artifact[];
  readonly inside: (uri: string) => readonly Artifact[];
  /** The artifacts at the URI, inside it, and at the folders that contain it. */
  readonly overlapping: (uri: string) => readonly Artifact[];
}

/** Returns the artifacts found at several URIs, each once. */
function across(uris: readonly string[], find: (uri: string) => readonly Artifact[]): readonly Artifact[] {
  return [...new Set(uris.flatMap(find))];
}

function uriIndex(
  artifacts: readonly Artifact[],
  urisOf: (artifact: Artifact) => readonly string[],
): UriIndex {
  const byUri = new Map<string, Artifact[]>();
  for (const artifact of artifacts) {
    for (const uri of urisOf(artifact)) byUri.set(uri, [...(byUri.get(uri) ?? []), artifact]);
  }
  const uris = [...byUri.keys()].sort((a, b) => (a < b ? -1 : Number(a > b)));
  const at = (uri: string): readonly Artifact[] => byUri.get(uri) ?? [];
  const inside = (folder: string): readonly Artifact[] => {
    // URIs inside the folder are adjacent in sorted order. Finds the first one not below the prefix by binary search.
    const prefix = folder.endsWith("/") ? folder : `${folder}/`;
    let [low, high] = [0, uris.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((uris[middle] as string) < prefix) low = middle + 1;
      else high = middle;
    }
    const found: Artifact[] = [];
    for (let index = low; isInside(uris[index] ?? "", folder); index += 1)
      found.push(...at(uris[index] as string));
    return found;
  };
  return { at, inside, overlapping: (uri) => [...[uri, ...foldersOf(uri)].flatMap(at), ...inside(uri)] };
}

function named({ id, type, state }: Artifact): string {
  return `${type} ${id}, ${state ?? "without a state"}`;
}
