/** Longest time for which passes compute, all together, before sockets and timers get a turn. */
const STRETCH_MS = 10;

/** A promise to await when the event loop needs a turn, else undefined. */
export type Turns = () => Promise<void> | undefined;

/**
 * Turns of the event loop for passes that share it. A factory that never waits, with a client that is as fast, would keep
 * all others from being served. The passes that go on after a turn divide the next stretch, so that hundreds of them leave
 * sockets as many turns as one does.
 */
export function createTurns(): Turns {
  let due = performance.now() + STRETCH_MS;
  /** Passes that go on after the next turn, and those of this turn that have yet to go on. */
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
