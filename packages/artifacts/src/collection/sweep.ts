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

const aManagedFiles = rule("ManagedFiles, with isManaged and remove", (value) => {
  const { isManaged, remove } = membersOf(value);
  return [isManaged, remove].every(aFunction.holds);
});

/** Options of {@link sweep}. */
export interface SweepOptions {
  readonly files: ManagedFiles;
  /** True to only report the decisions, without changing anything. Default false. */
  readonly isDryRun?: boolean;
  /** Time for which the intents of another sweep are respected, in milliseconds. Default 15 minutes. */
  readonly leaseMs?: number;
  /** Stops the sweep before the next URI. Deletions so far stay recorded, and another sweep can start right away. */
  readonly signal?: AbortSignal;
  /** Age in milliseconds after which an execution in NEW or RUNNING no longer locks its artifacts. Default: never. */
  readonly ignoreExecutionsAfterMs?: number;
}

/** Result of {@link sweep}. */
export interface SweepReport {
  readonly decisions: readonly SweepDecision[];
  /** Ids of the artifacts whose bytes this sweep deleted; `[]` for a dry run. */
  readonly deletedIds: readonly number[];
}

/**
 * Deletes the bytes that only marked or abandoned artifacts own, and sets those artifacts to DELETED. DELETED always
 * means that the bytes are gone. The sweep records its intents before it deletes. So nobody starts to use the bytes, and a
 * later sweep can take over from an interrupted one. The sweep skips a URI that leads out of the root through a link
 * (`outside-root`) or cannot be deleted (`file`). It throws the first such error at the end.
 * @throws {SourceError} `io-failed` (`outside-root`, `file`, `store-busy`), and errors of `files`. Deletions before the
 * error stay recorded.
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
      // Renames and transactions are synchronous, so this lets timers and process signals run.
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

/** Deletes the bytes at a URI and records that. Returns the ids of its owners, or `[]` if another sweep has taken over. */
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
    // Another sweep takes over if this one was delayed for longer than its lease.
    if (!isOurs(store, ownerIds, owner)) return [];
    detach?.(uri);
    store.artifacts.put(store.artifacts.byId(ownerIds).map((artifact) => deleted(artifact)));
    return ownerIds;
  });
}

/** True for an error that concerns one URI only. */
function isAboutOneUri(error: unknown): boolean {
  return isTfxioError(error, "io-failed") && ["outside-root", "file"].includes(error.reason ?? "");
}

/** Withdraws this sweep's remaining intents, so that the next sweep need not wait for the lease to end. */
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

/** Records this sweep's intents, and withdraws intents of earlier sweeps that no longer apply. */
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
