import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import {
  aBoolean,
  aFunction,
  aListOf,
  aName,
  anAbortSignal,
  anObject,
  assertArgument,
  assertOptions,
  isObject,
  membersOf,
  required,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { ArgumentError, UserFunctionError } from "@tfxio/wire/errors";
import { assertNotBeingDeleted } from "../collection/intents.js";
import { ensureArtifactType } from "../examples/artifact-types.js";
import { aMetadataStore } from "../store/a-metadata-store.js";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import { CACHE_KEY, cachedOutputs, cacheKeyOf } from "./cached-outputs.js";
import {
  type Component,
  type InputArtifacts,
  type OutputArtifact,
  outputInput,
  type Parameters,
} from "./component.js";
import { assertRunning, channelEvents, isRunning, startExecution } from "./start-execution.js";

/** Options of {@link runComponent}. */
export interface RunOptions {
  /**
   * Root of the output folders. An execution has one folder per output channel: `<root>/<node>/<channel>/<execution id>`, as in
   * TFX.
   */
  readonly pipelineRoot: string;
  /** Name of the pipeline, which becomes a context. Outputs are reused only within the same pipeline. */
  readonly pipeline: string;
  /** Name of this run of the pipeline. The run becomes a context. */
  readonly run: string;
  /** Name of this step within the pipeline. Default: the component's type. */
  readonly node?: string;
  /** Input artifacts by channel. */
  readonly inputs?: InputArtifacts;
  readonly parameters?: Parameters;
  /** True (default) to reuse the outputs of an earlier execution with the same cache key. */
  readonly isCached?: boolean;
  readonly signal?: AbortSignal;
}

/** Result of {@link runComponent}. */
export interface ComponentRun {
  readonly executionId: number;
  /** Output artifacts by channel. */
  readonly outputs: Readonly<Record<string, Artifact>>;
  /** True if the outputs come from an earlier execution and the component did not run. */
  readonly isReused: boolean;
}

const aFolderName = rule(
  'a non-empty name without slashes, other than "." and ".."',
  (value) => typeof value === "string" && /^(?!\.{1,2}$)[^/\\\0]+$/u.test(value),
);

const aComponent = rule("a component, with type, inputs, outputs and run", (value) => {
  const { type, inputs, outputs, run } = membersOf(value);
  return aName.holds(type) && isObject(inputs) && isObject(outputs) && aFunction.holds(run);
});

/**
 * Runs one component: records the execution with its inputs, calls `run`, and publishes the outputs. If `isCached` is true and
 * an earlier execution of the pipeline has the same cache key and live outputs, these outputs are reused and `run` is not called.
 * New outputs are PENDING while `run` works, and then LIVE. If `run` fails, they become ABANDONED, so that a sweep can delete
 * their bytes. If `signal` aborts the run, they also become ABANDONED, the execution becomes CANCELED, and the function throws
 * the signal's reason.
 * @throws {UserFunctionError} `user-function` if `run` fails, or if an output cannot be prepared or published. `cause` is the
 * original error.
 * @throws {ArgumentError} `invalid-argument` (`channel`) for inputs that do not match the component, (`not-live`) for
 * an input artifact that is not LIVE, (`unknown-entity`) for one that is not stored, (`type-conflict`) for an output type
 * that contradicts the stored one.
 * @throws {SourceError} `io-failed` (`being-deleted`) if a sweep is deleting an output folder, or bytes that an input needs.
 */
export async function runComponent(
  store: MetadataStore,
  component: Component,
  options: RunOptions,
): Promise<ComponentRun> {
  assertArgument("store", store, aMetadataStore);
  assertArgument("component", component, aComponent);
  assertOptions("runComponent", options, {
    pipelineRoot: required(aName),
    pipeline: required(aName),
    run: required(aName),
    node: aFolderName,
    inputs: anObject,
    parameters: anObject,
    isCached: aBoolean,
    signal: anAbortSignal,
  });
  const { inputs = {}, parameters = {}, isCached = true, node = component.type, signal } = options;
  if (Object.hasOwn(parameters, CACHE_KEY)) {
    throw unusableArgument("parameters", `must not have ${CACHE_KEY}, which the runner records itself`);
  }
  if (!aFolderName.holds(node)) {
    // `assertOptions` has already rejected a bad name from the caller, so `node` is the default.
    const found = `the default ${JSON.stringify(node)}, which is the type of the component`;
    throw unusableArgument("node", `must be ${aFolderName.expected}, found ${found}`);
  }
  const wrong = Object.keys(component.outputs).find((name) => !aFolderName.holds(name));
  if (wrong !== undefined) {
    const problem = `must give each output ${aFolderName.expected}, found ${JSON.stringify(wrong)}`;
    throw unusableArgument("component", problem);
  }
  checkChannels(component, inputs);
  signal?.throwIfAborted();
  const cacheKey = await cacheKeyOf(component, parameters, inputs);
  const started = store.transaction(() => {
    const contextIds = contextsOf(store, { ...options, node });
    const executionType = store.types.put("execution", { name: component.type }, { canOmitFields: true });
    const reused = isCached
      ? cachedOutputs(store, component, { cacheKey, contextId: contextIds[0] as number })
      : undefined;
    const executionId = startExecution(store, {
      execution: { typeId: executionType, customProperties: { ...parameters, [CACHE_KEY]: cacheKey } },
      inputs: idsOf(inputs),
      contextIds,
    });
    if (reused !== undefined) {
      const ids = Object.fromEntries(Object.entries(reused).map(([channel, { id }]) => [channel, [id]]));
      store.events.put(channelEvents(executionId, "OUTPUT", ids));
      endExecution(store, executionId, "CACHED");
      attribute(store, contextIds, Object.values(ids).flat());
      return { executionId, contextIds, reused };
    }
    const pending = Object.entries(component.outputs).map(([channel, type]) => {
      ensureArtifactType(store, type);
      const uri = path.join(path.resolve(options.pipelineRoot), node, channel, String(executionId));
      return [channel, { ...outputInput(type, uri, {}), state: "PENDING" as const }] as const;
    });
    assertNotBeingDeleted(
      store,
      pending.map(([, { uri = "" }]) => uri),
    );
    const pendingIds = store.artifacts.put(pending.map(([, input]) => input));
    const byChannel = Object.fromEntries(
      pending.map(([channel], index) => [channel, [pendingIds[index] as number]]),
    );
    store.events.put(channelEvents(executionId, "PENDING_OUTPUT", byChannel));
    attribute(store, contextIds, pendingIds);
    const outputs = Object.fromEntries(
      Object.entries(byChannel).map(([channel, ids]) => [channel, store.artifacts.byId(ids)[0] as Artifact]),
    );
    return { executionId, contextIds, outputs };
  });
  const { executionId } = started;
  if (started.reused !== undefined) return { executionId, outputs: started.reused, isReused: true };
  const { outputs } = started;
  try {
    for (const { uri } of Object.values(outputs)) await mkdir(uri, { recursive: true });
    const made = await component.run({ inputs, parameters, outputs, signal });
    for (const [channel, { uri }] of Object.entries(outputs)) {
      const output = membersOf(made)[channel] as OutputArtifact | undefined;
      // If the output's data is elsewhere, no artifact will own the folder prepared for it.
      if (output?.uri !== undefined && output.uri !== uri) await rm(uri, { recursive: true, force: true });
    }
    // Publishing comes last. Otherwise, a later failure would make this function throw although the outputs are LIVE.
    const published = publish(store, component, { executionId, outputs, made });
    return { executionId, outputs: published, isReused: false };
  } catch (error) {
    store.transaction(() => {
      // If another process has already ended the execution, that process decides what happens to the outputs.
      if (!isRunning(store, executionId)) return;
      endExecution(store, executionId, signal?.aborted === true ? "CANCELED" : "FAILED");
      const current = store.artifacts.byId(Object.values(outputs).map(({ id }) => id));
      store.artifacts.put(current.map((artifact) => ({ ...artifact, state: "ABANDONED" as const })));
    });
    if (signal?.aborted === true) throw signal.reason;
    throw new UserFunctionError(`${component.type} failed in execution ${executionId}: ${String(error)}`, {
      operator: component.type,
      cause: error,
    });
  }
}

/**
 * Sets the outputs to LIVE and the execution to COMPLETE, in one transaction. Returns the outputs by channel.
 * @throws {ArgumentError} `invalid-argument` (`channel`) if the component returned nothing for an output channel.
 * @throws {SourceError} `io-failed` (`entity-changed`) if the execution is no longer RUNNING, (`being-deleted`) if a sweep
 * is deleting an output URI.
 */
function publish(
  store: MetadataStore,
  component: Component,
  {
    executionId,
    outputs,
    made,
  }: {
    readonly executionId: number;
    readonly outputs: Readonly<Record<string, Artifact>>;
    readonly made: Awaited<ReturnType<Component["run"]>>;
  },
): Readonly<Record<string, Artifact>> {
  return store.transaction(() => {
    assertRunning(store, executionId);
    const published = Object.entries(outputs).map(([channel, pending]) => {
      const output = membersOf(made)[channel] as OutputArtifact | undefined;
      if (output === undefined)
        throw new ArgumentError(
          "invalid-argument",
          `The function "run" of ${component.type} must return the output "${channel}", found nothing.`,
          { argument: channel, reason: "channel" },
        );
      const uri = output.uri ?? pending.uri;
      assertNotBeingDeleted(store, [uri]);
      const input = outputInput(component.outputs[channel] ?? { name: pending.type }, uri, output);
      const [id = 0] = store.artifacts.put([{ ...input, id: pending.id, state: "LIVE" }]);
      return [channel, store.artifacts.byId([id])[0] as Artifact] as const;
    });
    const channels = Object.fromEntries(published.map(([channel, { id }]) => [channel, [id]]));
    store.events.put(channelEvents(executionId, "OUTPUT", channels));
    endExecution(store, executionId, "COMPLETE");
    return Object.fromEntries(published);
  });
}

function endExecution(
  store: MetadataStore,
  executionId: number,
  lastKnownState: "CACHED" | "COMPLETE" | "FAILED" | "CANCELED",
): void {
  store.executions.put(
    store.executions.byId([executionId]).map((execution) => ({ ...execution, lastKnownState })),
  );
}

function attribute(
  store: MetadataStore,
  contextIds: readonly number[],
  artifactIds: readonly number[],
): void {
  store.links.put({
    attributions: contextIds.flatMap((contextId) =>
      artifactIds.map((artifactId) => ({ contextId, artifactId })),
    ),
  });
}

/**
 * Returns the ids of the contexts of the pipeline, the run and the node, in this order. The names follow TFX. Missing contexts
 * are created.
 */
function contextsOf(
  store: MetadataStore,
  { pipeline, run, node }: RunOptions & { readonly node: string },
): number[] {
  const names = [
    ["pipeline", pipeline],
    ["pipeline_run", run],
    ["node", `${pipeline}.${node}`],
  ] as const;
  return names.map(([type, name]) => {
    store.types.put("context", { name: type }, { canOmitFields: true });
    return store.contexts.byName(type, name)?.id ?? (store.contexts.put([{ type, name }])[0] as number);
  });
}

function checkChannels(component: Component, inputs: InputArtifacts): void {
  const extra = Object.keys(inputs).find((channel) => !Object.hasOwn(component.inputs, channel));
  if (extra !== undefined)
    throw unusableArgument(
      "inputs",
      `must not have the channel "${extra}", which ${component.type} does not declare`,
      { reason: "channel" },
    );
  for (const [channel, { type, count }] of Object.entries(component.inputs)) {
    const artifacts = inputs[channel] ?? [];
    assertArgument(`inputs.${channel}`, artifacts, aListOf("a list of artifacts", anObject));
    const isFitting = count === undefined ? artifacts.length > 0 : artifacts.length === count;
    if (!isFitting || artifacts.some((artifact) => artifact.type !== type)) {
      const found = artifacts.map((artifact) => artifact.type).join(", ") || "none";
      const wanted = `${count ?? "one or more"} ${type}`;
      const problem = `must have ${wanted} in the channel "${channel}" of ${component.type}, found ${found}`;
      throw unusableArgument("inputs", problem, { reason: "channel" });
    }
  }
}

function idsOf(inputs: InputArtifacts): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    Object.entries(inputs).map(([channel, artifacts]) => [channel, artifacts.map(({ id }) => id)]),
  );
}
