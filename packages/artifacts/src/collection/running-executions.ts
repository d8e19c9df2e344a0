import type { Execution } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";

/**
 * Returns the executions in state NEW or RUNNING.
 * @param ignoreAfterMs An age in milliseconds. Executions whose last update is older are omitted, since they were probably
 * killed. Default: no execution is omitted.
 */
function runningExecutions(store: MetadataStore, ignoreAfterMs?: number): readonly Execution[] {
  const since = ignoreAfterMs === undefined ? 0 : Date.now() - ignoreAfterMs;
  return store.executions
    .list({ filter: "last_known_state IN (NEW, RUNNING)" })
    .filter(({ lastUpdateTimeMs }) => lastUpdateTimeMs >= since);
}

/**
 * Returns the ids of the artifacts that running executions read or write.
 * @param ignoreAfterMs An execution counts as running for this many milliseconds after its last update. Undefined for no limit.
 */
export function lockedIds(store: MetadataStore, ignoreAfterMs: number | undefined): Set<number> {
  const running = runningExecutions(store, ignoreAfterMs).map(({ id }) => id);
  return new Set(store.events.ofExecutions(running).map(({ artifactId }) => artifactId));
}
