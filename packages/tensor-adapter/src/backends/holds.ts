import type { BackendRegistry } from "./candidate.js";

/** The loads of one backend that are not yet released. */
interface Hold {
  count: number;
  readonly before: string | undefined;
  readonly undo: (() => void) | undefined;
}

/** Unreleased loads, by the backend's name in TensorFlow.js. A process has one backend of each name. */
const holds = new Map<string, Hold>();

/**
 * Counts a load, and returns the function that releases it. The last release undoes what the first load did. It also restores the
 * backend that was current before the first load, unless the loaded backend is no longer current or the earlier one is no longer
 * registered.
 */
export function hold(
  tf: BackendRegistry,
  backendName: string,
  before: string | undefined,
  undo: (() => void) | undefined,
): () => void {
  const held = holds.get(backendName) ?? { count: 0, before, undo };
  holds.set(backendName, held);
  held.count++;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    if (--held.count > 0) return;
    holds.delete(backendName);
    const isCurrent = tf.getBackend() === backendName;
    held.undo?.();
    // `findBackendFactory` returns null for an unregistered backend, although its type says otherwise.
    // `setBackend` takes effect at once here, because the earlier backend is already initialized.
    if (isCurrent && held.before && tf.findBackendFactory(held.before)) void tf.setBackend(held.before);
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs loads one after the other, because two backends that are set concurrently replace each other. */
export function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(run);
  // A failed load rejects only its own promise. The next load runs all the same.
  lastTurn = turn.catch(() => {});
  return turn;
}
