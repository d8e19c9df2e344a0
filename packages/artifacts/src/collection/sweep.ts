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
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import { intentOf, withIntent } from "./intents.js";
import type { ManagedFiles } from "./managed-files.js";
import { planSweep, type SweepDecision } from "./plan-sweep.js";
import { isCollectable } from "./references.js";
import { lockedIds } from "./running-executions.js";

const aManagedFiles = rule("ManagedFiles, with isManaged and remove", (value) => {
  const { isManaged, remove } = membersOf(value);
  return [isManaged, remove].every(aFunction.holds);
});

/** How bytes are collected. */
export interface SweepOptions {
  readonly files: ManagedFiles;
  /** Decides and explains, and changes nothing. Default false. */
  readonly isDryRun?: boolean;
  /** How long another sweep that has begun to delete is left alone, default 15 minutes. */
  readonly leaseMs?: number;
  /** Stops the sweep before the next URI. What it has deleted is recorded, and the rest is free for another sweep at once. */
  readonly signal?: AbortSignal;
  /** Executions in NEW or RUNNING whose last update is older lock nothing; default: all do, however old. */
  readonly ignoreExecutionsAfterMs?: number;
}

/** What a sweep came to. */
export interface SweepReport {
  readonly decisions: readonly SweepDecision[];
  /** Ids of the artifacts whose bytes are gone now. None in a dry run. */
  readonly deletedIds: readonly number[];
}

/**
 * Deletes the bytes that only marked or abandoned artifacts own, and sets these to DELETED, which always means that the bytes are
 * gone. It records its intent before the first byte goes, so that nobody starts to use them, and a later sweep takes over from one that
 * was interrupted. A URI that leads out of the root by a link (`outside-root`), or whose bytes cannot be deleted (`file`), does not
 * keep the others; the first such error is thrown at the end.
 * @throws {SourceError} `io-failed` (`outside-root`, `file`, `store-busy`), and errors of `files`; what was deleted is recorded.
 */
export async function sweep(store: MetadataStore, options: SweepOptions): Promise<SweepReport> {
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
      // Lets signals of the process arrive: renames and transactions are synchronous.
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

/** Deletes what is at a URI, and records it. Gives the ids of its owners; none when another sweep has taken over. */
async function deleteBytes(
  store: MetadataStore,
  { files, uri, ownerIds, owner }: Deletion,
): Promise<readonly number[]> {
  const detach = files.detach?.bind(files);
  if (detach === undefined) {
    if (!isOurs(store, ownerIds, owner)) return [];
    await files.remove(uri);
  }
  return store.transaction(() => {
    // Another sweep has taken over when this one was held up for longer than its lease.
    if (!isOurs(store, ownerIds, owner)) return [];
    detach?.(uri);
    store.artifacts.put(store.artifacts.byId(ownerIds).map((artifact) => deleted(artifact)));
    return ownerIds;
  });
}

/** True for an error that says nothing about the other URIs. */
function isAboutOneUri(error: unknown): boolean {
  return isTfxioError(error, "io-failed") && ["outside-root", "file"].includes(error.reason ?? "");
}

/** Takes back what this sweep has not deleted, so that the next one need not wait for the lease to end. */
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
    lockedIds: lockedIds(store, ignoreExecutionsAfterMs),
    beingDeletedIds: new Set(beingDeleted.map(({ id }) => id)),
  });
  return { artifacts, decisions };
}

/** Marks what is to be deleted with this sweep's intent, and takes back intents of earlier ones that no longer hold. */
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
