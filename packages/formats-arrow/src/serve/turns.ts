/** Longest time for which passes compute before sockets and timers get a turn. */
const STRETCH_MS = 10;

/** A promise to await when the event loop needs a turn, else undefined. */
export type Turns = () => Promise<void> | undefined;

/**
 * Shares the event loop between passes. Without turns, a factory that never waits would block all other passes while its
 * client keeps up.
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
