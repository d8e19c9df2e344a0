/** Total time in milliseconds for which the passes compute before sockets and timers get a turn. No batch is interrupted. */
const STRETCH_MS = 10;

/** Returns a promise to await if the event loop needs a turn, else undefined. */
export type Turns = () => Promise<void> | undefined;

/**
 * Shares the event loop between passes. Without turns for sockets, a factory that never waits would block all other passes for
 * as long as its client keeps up with it. The passes that continue after a turn share the next `STRETCH_MS`, so sockets get as
 * many turns with hundreds of passes as with one.
 */
export function createTurns(): Turns {
  let due = performance.now() + STRETCH_MS;
  /** Number of passes that wait for the next turn, and number of passes that have yet to continue after the last turn. */
  let [numWaiting, numLeft] = [0, 0];
  let share = STRETCH_MS;
  return () => {
    if (performance.now() < due) return undefined;
    numWaiting++;
    return new Promise((resolve) => {
      setImmediate(() => {
        if (numLeft === 0) {
          [numLeft, numWaiting] = [numWaiting, 0];
          share = STRETCH_MS / numLeft;
        }
        numLeft--;
        due = performance.now() + share;
        resolve();
      });
    });
  };
}
