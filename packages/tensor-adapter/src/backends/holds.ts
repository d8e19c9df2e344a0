import type { BackendRegistry } from "./candidate.js";

interface Hold {
  count: number;
  readonly before: string | undefined;
  readonly undo: (() => void) | undefined;
}

/** Loads that were not released, by TensorFlow.js's name of the backend, of which a process has one each. */
const holds = new Map<string, Hold>();

/**
 * Counts a load. Gives its release: that of the last undoes what the first did, and makes the backend current that was
 * so before the first, unless another one is by then.
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
    // At once, as that backend has been current before. Typed as a function always; null when there is none.
    if (isCurrent && held.before && tf.findBackendFactory(held.before)) void tf.setBackend(held.before);
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs when all that came before has ended: two backends that are set at once take each other's place. */
export function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(run);
  // A failure is its own caller's only.
  lastTurn = turn.catch(() => {});
  return turn;
}
