import { SourceError } from "@tfxio/wire/errors";
import { unusableArgument } from "@tfxio/wire/checks";
import { assertNotBeingDeleted } from "../collection/intents.js";
import { refsOf } from "../collection/references.js";
import type { ExecutionInput, EventInput } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";

/** Options of {@link startExecution}. */
export interface StartOptions {
  /** Type, properties and name of the execution; its state becomes RUNNING. */
  readonly execution: ExecutionInput;
  /** Ids of the input artifacts by channel. Their order within a channel is recorded. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  /** Ids of the contexts to associate with the execution. Default: no contexts. */
  readonly contextIds?: readonly number[];
}

/**
 * Records a running execution and its inputs in one transaction, so that no sweep deletes the inputs. Returns the id of the
 * execution.
 * @throws {ArgumentError} `invalid-argument` (`not-live`) for an input that is not LIVE, (`unknown-entity`) for an unknown id.
 * @throws {SourceError} `io-failed` (`being-deleted`) if a sweep is deleting bytes that an input needs.
 * @throws {RecordError} `corrupt-record` (`artifact-property`) if `gc_context` or `data_view_uri` of an input is invalid.
 */
export function startExecution(
  store: MetadataStore,
  { execution, inputs, contextIds = [] }: StartOptions,
): number {
  return store.transaction(() => {
    const ids = Object.values(inputs).flat();
    const artifacts = new Map(store.artifacts.byId(ids).map((artifact) => [artifact.id, artifact]));
    for (const id of ids) {
      const artifact = artifacts.get(id);
      if (artifact === undefined) {
        throw unusableArgument("inputs", `must be ids of stored artifacts, found ${id}`, {
          reason: "unknown-entity",
        });
      }
      if (artifact.state !== "LIVE") {
        const problem = `must be LIVE, found artifact ${id} (${artifact.uri || "no URI"}), whose state is ${artifact.state ?? "not set"}`;
        throw unusableArgument("inputs", problem, { reason: "not-live" });
      }
    }
    assertNotBeingDeleted(store, [...artifacts.values()].flatMap(refsOf));
    const [executionId = 0] = store.executions.put([{ ...execution, lastKnownState: "RUNNING" }]);
    store.events.put(channelEvents(executionId, "INPUT", inputs));
    store.links.put({ associations: contextIds.map((contextId) => ({ contextId, executionId })) });
    return executionId;
  });
}

/** Returns events in the form that TFX writes. An event's path is the name of a channel and a 0-based position in the channel. */
export function channelEvents(
  executionId: number,
  type: EventInput["type"],
  channels: Readonly<Record<string, readonly number[]>>,
): EventInput[] {
  return Object.entries(channels).flatMap(([channel, ids]) =>
    ids.map((artifactId, index) => ({ artifactId, executionId, type, path: [channel, index] })),
  );
}

/**
 * Checks that an execution is still RUNNING, so that it cannot end twice.
 * @throws {SourceError} `io-failed` (`entity-changed`) if it is in another state.
 */
export function assertRunning(store: MetadataStore, executionId: number): void {
  if (isRunning(store, executionId)) return;
  const [execution] = store.executions.byId([executionId]);
  throw new SourceError(
    "io-failed",
    `${store.path}: execution ${executionId} must be RUNNING, found ${execution?.lastKnownState ?? "no state"}.`,
    { uri: store.path, reason: "entity-changed" },
  );
}

export function isRunning(store: MetadataStore, executionId: number): boolean {
  return store.executions.byId([executionId])[0]?.lastKnownState === "RUNNING";
}
