import type { Artifact } from "../store/entities.js";
import { foldersOf, isInside, normalizeUri } from "../uris.js";
import { isCollectable, isCounting, isExternal, refsOf } from "./references.js";

/**
 * Reasons to keep the bytes at a URI. If several apply, a decision names the first one in this order. An artifact counts as live
 * unless it is marked for deletion, abandoned or deleted.
 */
export type KeepReason =
  /** The URI overlaps imported data, which the pipeline does not own. */
  | "EXTERNAL"
  /** The URI is not managed: it lies outside the managed root, or the storage excludes it for another reason. */
  | "OUTSIDE_ROOT"
  /** A live artifact refers to the URI. */
  | "REFERENCED"
  /** A live artifact refers to something inside the URI. */
  | "CONTAINS_LIVE"
  /** A live artifact refers to a folder that contains the URI. */
  | "INSIDE_LIVE"
  /**
   * A running execution reads or writes an artifact that refers to the URI, to something inside it, or to a folder that contains
   * it.
   */
  | "LOCKED"
  /** Another sweep is deleting the URI. */
  | "BEING_DELETED";

/** The decision about one URI. */
export interface SweepDecision {
  readonly uri: string;
  readonly action: "delete" | "keep";
  /** Undefined for "delete". */
  readonly reason: KeepReason | undefined;
  /** Ids of the artifacts at the URI whose state is MARKED_FOR_DELETION or ABANDONED. */
  readonly ownerIds: readonly number[];
  /** Ids of the artifacts that prevent the deletion. `[]` for "delete" and for OUTSIDE_ROOT. */
  readonly blockingIds: readonly number[];
  /** The decision as one English sentence, for people to read. */
  readonly explanation: string;
}

/** Input of {@link planSweep}. */
export interface SweepInput {
  /** All artifacts of the store. Artifacts in state DELETED may be omitted. */
  readonly artifacts: readonly Artifact[];
  /** Ids of the artifacts that executions in state NEW or RUNNING read or write. */
  readonly lockedIds: ReadonlySet<number>;
  /** Returns true for a normalized URI whose bytes may be deleted. */
  readonly isManaged: (uri: string) => boolean;
  /** Returns a normalized URI with its links resolved. Default: returns the URI unchanged. */
  readonly realPlace?: ((uri: string) => string) | undefined;
  /** Ids of the artifacts whose bytes another sweep is deleting. Default: none. */
  readonly beingDeletedIds?: ReadonlySet<number>;
}

/**
 * Decides which URIs to delete. Returns one decision for every URI that a marked or abandoned artifact owns, in the order of
 * the artifacts. The plan deletes a URI if it is managed, overlaps neither imported data nor a needed URI, and is not
 * being deleted by another sweep. A URI is needed if a live artifact refers to it, or if a running execution reads or writes
 * an artifact that refers to it. An artifact counts as live unless it is marked, abandoned or deleted. Two URIs overlap if
 * they are equal or one contains the other, either as written or with their links resolved. A URI that artifacts only refer to,
 * such as an entry of `gc_context`, gets no decision. The function changes nothing.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if `gc_context` or `data_view_uri` is invalid on a live artifact
 * or on one that a running execution reads or writes.
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
    ({ uri }) => (uri === "" ? [] : namesOf(normalizeUri(uri))),
  );
  return [...owners].map(([uri, own]) => {
    const ownerIds = own.filter(isCollectable).map(({ id }) => id);
    const keep = (reason: KeepReason, blocking: readonly Artifact[], why: string): SweepDecision => ({
      uri,
      action: "keep",
      reason,
      ownerIds,
      blockingIds: blocking.map(({ id }) => id),
      explanation: `${uri} stays, because ${why}${blocking.length > 0 ? `: ${blocking.map(named).join(", ")}` : ""}.`,
    });
    const names = namesOf(uri);
    const external = across(names, imported.overlapping);
    if (external.length > 0)
      return keep("EXTERNAL", external, "it overlaps imported data, which the pipeline does not own");
    if (!isManaged(uri))
      return keep("OUTSIDE_ROOT", [], "it lies outside the managed root, or the storage excludes it");
    const same = across(names, counting.at);
    if (same.length > 0) return keep("REFERENCED", same, "an artifact refers to it");
    const within = across(names, counting.inside);
    if (within.length > 0) return keep("CONTAINS_LIVE", within, "an artifact refers to something inside it");
    const around = across(names.flatMap(foldersOf), counting.at);
    if (around.length > 0)
      return keep("INSIDE_LIVE", around, "an artifact refers to a folder that contains it");
    const used = across(names, locked.overlapping);
    if (used.length > 0) return keep("LOCKED", used, "a running execution uses it");
    const taken = own.filter(({ id }) => beingDeletedIds?.has(id));
    if (taken.length > 0) return keep("BEING_DELETED", taken, "another sweep is deleting it");
    const explanation = `${uri} is no longer needed; ${ownerIds.length === 1 ? "its only owner is" : "its only owners are"} ${own.filter(isCollectable).map(named).join(", ")}.`;
    return { uri, action: "delete", reason: undefined, ownerIds, blockingIds: [], explanation };
  });
}

/**
 * Returns, for every URI with a marked or abandoned artifact, all artifacts at that URI whose state is not DELETED. The keys
 * are normalized URIs.
 */
function ownersOf(artifacts: readonly Artifact[]): Map<string, Artifact[]> {
  const owners = new Map<string, Artifact[]>();
  for (const artifact of artifacts) {
    if (artifact.uri !== "" && isCollectable(artifact)) owners.set(normalizeUri(artifact.uri), []);
  }
  for (const artifact of artifacts) {
    if (artifact.state !== "DELETED") owners.get(normalizeUri(artifact.uri))?.push(artifact);
  }
  return owners;
}

/** An index of artifacts by normalized URI. */
interface UriIndex {
  readonly at: (uri: string) => readonly Artifact[];
  readonly inside: (uri: string) => readonly Artifact[];
  /** The artifacts at the URI, inside it, and at the folders that contain it. */
  readonly overlapping: (uri: string) => readonly Artifact[];
}

/** Calls `find` for each URI and returns the artifacts found, without duplicates. */
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
    // URIs inside the folder are adjacent in sorted order. A binary search finds the first URI that sorts at or after the prefix.
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
  return `${type} ${id} (${state ?? "without a state"})`;
}
