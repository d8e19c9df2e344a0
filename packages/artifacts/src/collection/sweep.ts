import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import {
  aBoolean,
  aFunction,
  anAbortSignal,
  anObject,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  membersOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import { isTfxioError } from "@tfxio/wire/errors";
import { aMetadataStore } from "../store/a-metadata-store.js";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import { intentOf, withIntent } from "./intents.js";
import type { ManagedFiles } from "./managed-files.js";
import { planSweep, type SweepDecision } from "./plan-sweep.js";
import { isCollectable } from "./references.js";
import { lockedIds } from "./running-executions.js";

const aManagedFiles = rule("ManagedFiles with the methods isManaged() and remove()", (value) => {
  const { isManaged, remove } = membersOf(value);
  return [isManaged, remove].every(aFunction.holds);
});

/** Options of {@link sweep}. */
export interface SweepOptions {
  /** The storage to delete from, for example the result of {@link localFiles}. */
  readonly files: ManagedFiles;
  /** True to report the decisions without changing anything. Default false. */
  readonly isDryRun?: boolean;
  /**
   * Age in milliseconds up to which this sweep respects the deletion intents of another sweep. An older intent counts as left
   * behind by a sweep that was killed. Default 900,000 (15 minutes).
   */
  readonly leaseMs?: number;
  /**
   * Stops the sweep before the next URI, with the signal's reason as the error. Completed deletions stay recorded, and
   * another sweep can start at once. A dry run ignores the signal.
   */
  readonly signal?: AbortSignal;
  /**
   * Time in milliseconds for which an execution in state NEW or RUNNING locks its artifacts, counted from its last update.
   * Default: the lock never expires.
   */
  readonly ignoreExecutionsAfterMs?: number;
}

/** Result of {@link sweep}. */
export interface SweepReport {
  /** One decision for every URI that a marked or abandoned artifact owns. */
  readonly decisions: readonly SweepDecision[];
  /** Ids of the artifacts whose bytes this sweep deleted; `[]` for a dry run. */
  readonly deletedIds: readonly number[];
}

/**
 * Deletes bytes that marked or abandoned artifacts own and that nothing needs, and sets the state of these artifacts to
 * DELETED. An artifact becomes DELETED only when its bytes are no longer at its URI. Before the sweep deletes bytes, it records
 * its intents in the store. Therefore {@link startExecution} rejects artifacts that need the bytes, and a later sweep can take
 * over from an interrupted one. If a URI leads out of the root through a link (`outside-root`) or cannot be deleted (`file`),
 * the sweep continues with the next URI. After the last URI, it throws the first of these errors.
 * @throws {SourceError} `io-failed` (`outside-root`, `file`, `store-busy`), and the errors of `files`. Deletions completed
 * before an error stay recorded.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if a custom property that the sweep reads, such as `gc_context`,
 * is invalid.
 */
export async function sweep(store: MetadataStore, options: SweepOptions): Promise<SweepReport> {
  assertArgument("store", store, aMetadataStore);
  assertOptions("sweep", options, {
    files: required(anObject),
    isDryRun: aBoolean,
    leaseMs: aPositiveInteger,
    signal: anAbortSignal,
    ignoreExecutionsAfterMs: aPositiveInteger,
  });
  const { files, isDryRun = false, signal } = options;
  assertArgument("files", files, aManagedFiles);
  const owner = randomUUID();
  if (isDryRun) return { decisions: decide(store, options, owner).decisions, deletedIds: [] };
  signal?.throwIfAborted();
  await files.purge?.();
  const decisions = store.transaction(() => recordIntents(store, options, owner));
  const deletedIds: number[] = [];
  const failures: unknown[] = [];
  try {
    for (const { action, uri, ownerIds } of decisions) {
      if (action === "keep") continue;
      // Renames and transactions block the event loop. Waiting here lets timers and signal handlers run between URIs.
      await setImmediate();
      signal?.throwIfAborted();
      try {
        deletedIds.push(...(await deleteBytes(store, { files, uri, ownerIds, owner })));
      } catch (error) {
        if (!isAboutOneUri(error)) throw error;
        failures.push(error);
      }
    }
  } finally {
    store.transaction(() => withdrawIntents(store, decisions, owner));
    await files.purge?.();
  }
  if (failures.length > 0) throw failures[0];
  return { decisions, deletedIds };
}

interface Deletion {
  readonly files: ManagedFiles;
  readonly uri: string;
  readonly ownerIds: readonly number[];
  readonly owner: string;
}

/**
 * Deletes the bytes at a URI and sets the state of its owners to DELETED. Returns the ids of the owners, or `[]` if another
 * sweep has taken over or an owner is no longer marked or abandoned.
 */
async function deleteBytes(
  store: MetadataStore,
  { files, uri, ownerIds, owner }: Deletion,
): Promise<readonly number[]> {
  const detach = files.detach?.bind(files);
  if (detach === undefined) {
    // Removal takes time, and earlier URIs may have used up the lease.
    if (!store.transaction(() => renewIntents(store, ownerIds, owner))) return [];
    await files.remove(uri);
  }
  return store.transaction(() => {
    // Another sweep may have taken over, if this one was delayed for longer than the lease.
    if (!isOurs(store, ownerIds, owner)) return [];
    detach?.(uri);
    store.artifacts.put(store.artifacts.byId(ownerIds).map((artifact) => deleted(artifact)));
    return ownerIds;
  });
}

/** True for an error that concerns only one URI, so that the sweep can continue with the next one. */
function isAboutOneUri(error: unknown): boolean {
  return isTfxioError(error, "io-failed") && ["outside-root", "file"].includes(error.reason ?? "");
}

/** Removes this sweep's remaining intents, so that the next sweep need not wait for the lease to expire. */
function withdrawIntents(store: MetadataStore, decisions: readonly SweepDecision[], owner: string): void {
  const ids = decisions.flatMap(({ action, ownerIds }) => (action === "delete" ? ownerIds : []));
  const left = store.artifacts.byId(ids).filter((artifact) => intentOf(artifact)?.owner === owner);
  store.artifacts.put(
    left.map((artifact) => ({
      ...artifact,
      customProperties: withIntent(artifact.customProperties, undefined),
    })),
  );
}

function decide(
  store: MetadataStore,
  { files, leaseMs = 15 * 60_000, ignoreExecutionsAfterMs }: SweepOptions,
  owner: string,
): { readonly artifacts: readonly Artifact[]; readonly decisions: SweepDecision[] } {
  const artifacts = store.artifacts.list({ filter: "state != DELETED" });
  const beingDeleted = artifacts.filter((artifact) => {
    const intent = intentOf(artifact);
    return intent !== undefined && intent.owner !== owner && intent.timeMs + leaseMs > Date.now();
  });
  const decisions = planSweep({
    artifacts,
    isManaged: (uri) => files.isManaged(uri),
    realPlace: files.realPlace?.bind(files),
    lockedIds: lockedIds(store, ignoreExecutionsAfterMs),
    beingDeletedIds: new Set(beingDeleted.map(({ id }) => id)),
  });
  return { artifacts, decisions };
}

/**
 * Decides which URIs to delete and returns the decisions. Records this sweep's intents, and removes intents of earlier sweeps
 * from artifacts that must now be kept.
 */
function recordIntents(store: MetadataStore, options: SweepOptions, owner: string): readonly SweepDecision[] {
  const { artifacts, decisions } = decide(store, options, owner);
  const intent = { owner, timeMs: Date.now() };
  const actions = new Map(
    decisions.flatMap(({ action, reason, ownerIds }) =>
      ownerIds.map((id) => [id, reason === "BEING_DELETED" ? undefined : action] as const),
    ),
  );
  const changed = artifacts.flatMap((artifact) => {
    const action = actions.get(artifact.id);
    const isStale = action === "keep" && intentOf(artifact) !== undefined;
    if (action !== "delete" && !isStale) return [];
    const customProperties = withIntent(artifact.customProperties, action === "delete" ? intent : undefined);
    return [{ ...artifact, customProperties }];
  });
  store.artifacts.put(changed);
  return decisions;
}

/**
 * Restarts the lease of this sweep's intents on these artifacts. Returns false and changes nothing if another sweep has taken
 * over or one of the artifacts is no longer marked or abandoned.
 */
function renewIntents(store: MetadataStore, ids: readonly number[], owner: string): boolean {
  if (!isOurs(store, ids, owner)) return false;
  const intent = { owner, timeMs: Date.now() };
  store.artifacts.put(
    store.artifacts.byId(ids).map((artifact) => ({
      ...artifact,
      customProperties: withIntent(artifact.customProperties, intent),
    })),
  );
  return true;
}

function isOurs(store: MetadataStore, ids: readonly number[], owner: string): boolean {
  const artifacts = store.artifacts.byId(ids);
  return artifacts.every((artifact) => isCollectable(artifact) && intentOf(artifact)?.owner === owner);
}

function deleted(artifact: Artifact): Artifact {
  return {
    ...artifact,
    state: "DELETED",
    customProperties: withIntent(artifact.customProperties, undefined),
  };
}
