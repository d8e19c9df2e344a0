import type { Execution } from "../store/entities.js";
import type { MetadataStore } from "../store/metadata-store.js";

/**
 * Returns the executions in state NEW or RUNNING.
 * @param ignoreAfterMs Leaves out executions whose last update is older than this, since they were probably killed. Default:
 * none are left out.
 */
function runningExecutions(store: MetadataStore, ignoreAfterMs?: number): readonly Execution[] {
  const since = ignoreAfterMs === undefined ? 0 : Date.now() - ignoreAfterMs;
  return store.executions
    .list({ filter: "last_known_state IN (NEW, RUNNING)" })
    .filter(({ lastUpdateTimeMs }) => lastUpdateTimeMs >= since);
}

/**
 * Returns the ids of the artifacts that running executions read or write. @param ignoreAfterMs Age at which an execution stops
 * counting.
 */
export function lockedIds(store: MetadataStore, ignoreAfterMs: number | undefined): Set<number> {
  const running = runningExecutions(store, ignoreAfterMs).map(({ id }) => id);
  return new Set(store.events.ofExecutions(running).map(({ artifactId }) => artifactId));
}
