/** Longest time for which passes compute before sockets and timers get a turn. */
const STRETCH_MS = 10;

/** A promise to await when the event loop needs a turn, else undefined. */
export type Turns = () => Promise<void> | undefined;

/**
 * Turns of the event loop for passes that share it. A factory that never waits, with a client that is as fast, would keep
 * all others from being served.
 */
export function createTurns(): Turns {
  let due = performance.now() + STRETCH_MS;
  return () => {
    if (performance.now() < due) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        due = performance.now() + STRETCH_MS;
        resolve();
      });
    });
  };
}
