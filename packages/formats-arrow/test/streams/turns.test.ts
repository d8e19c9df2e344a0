import { expect, test } from "@jest/globals";
import { createTurns } from "../../src/serve/turns.js";

/** Computes for about `ms`. */
function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test.each([1, 100])(
  "%i passes that never wait leave time for sockets and timers several times a second",
  async (count) => {
    const turns = createTurns();
    const numBatches = Array.from({ length: count }, () => 0);
    const over = new AbortController();
    const passes = numBatches.map(async (_, pass) => {
      while (!over.signal.aborted) {
        compute(0.1);
        (numBatches[pass] as number)++;
        await turns();
      }
    });
    let numTurns = 0;
    const turn = (): void => {
      numTurns++;
      if (!over.signal.aborted) setImmediate(turn);
    };
    setImmediate(turn);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    over.abort();
    await Promise.all(passes);
    // About 20 ms a turn with 100 passes; a stretch of 10 ms for each of them would leave one turn a second.
    expect(numTurns).toBeGreaterThan(8);
    // No pass starves.
    expect(Math.min(...numBatches)).toBeGreaterThan(0.2 * Math.max(...numBatches));
  },
);
