import { createHash } from "node:crypto";
import type { Artifact } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";
import type { Component, InputArtifacts, Parameters } from "./component.js";

/** Name of the custom property that holds an execution's cache key, the result of {@link cacheKeyOf}. */
export const CACHE_KEY = "cache_key";

/**
 * Returns the SHA-256 of a component's type, parameters, content key, inputs and output types, as 64 hexadecimal digits. The
 * order of parameters and channels does not matter.
 */
export async function cacheKeyOf(
  component: Component,
  parameters: Parameters,
  inputs: InputArtifacts,
): Promise<string> {
  const content = (await component.contentKey?.(parameters, inputs)) ?? "";
  const sorted = <Value>(values: Readonly<Record<string, Value>>): [string, Value][] =>
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const key = [
    component.type,
    sorted(parameters).map(([name, value]) => [name, typeof value, String(value)]),
    // The update time is included, so an artifact that has changed counts as a different input.
    sorted(inputs).map(([channel, artifacts]) => [
      channel,
      artifacts.map(({ id, uri, lastUpdateTimeMs }) => [id, uri, lastUpdateTimeMs]),
    ]),
    sorted(component.outputs).map(([channel, { name, version = null }]) => [channel, name, version]),
    content,
  ];
  return createHash("sha256").update(JSON.stringify(key)).digest("hex");
}

/**
 * Finds the latest COMPLETE execution with this cache key whose outputs are all still LIVE. Returns its outputs by channel,
 * or undefined if there is no such execution. Call it inside a transaction.
 * @param contextId Id of the pipeline's context. Outputs of other pipelines are not reused.
 */
export function cachedOutputs(
  store: MetadataStore,
  component: Component,
  { cacheKey, contextId }: { readonly cacheKey: string; readonly contextId: number },
): Readonly<Record<string, Artifact>> | undefined {
  const filter = `type = ${JSON.stringify(component.type)} AND last_known_state = COMPLETE AND contexts_p.id = ${contextId} AND custom_properties.${CACHE_KEY}.string_value = '${cacheKey}'`;
  for (const { id } of store.executions.list({ filter, isDescending: true })) {
    const events = store.events.ofExecutions([id]).filter(({ type }) => type === "OUTPUT");
    const outputs = store.artifacts.byId(events.map(({ artifactId }) => artifactId));
    const channels = Object.fromEntries(
      events.flatMap(({ path: [channel], artifactId }) => {
        const artifact = outputs.find((output) => output.id === artifactId);
        return artifact?.state === "LIVE" && channel !== undefined ? [[channel, artifact]] : [];
      }),
    );
    if (Object.keys(component.outputs).every((channel) => Object.hasOwn(channels, channel))) return channels;
  }
  return undefined;
}
