import { expect, test } from "@jest/globals";
import { createTurns } from "../../src/serve/turns.js";

/** Keeps the processor busy for about `ms` milliseconds. */
function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test.each([1, 100])(
  "sockets and timers get several turns a second, even if no pass ever waits (number of passes: %i)",
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
    // A round of 100 passes takes about 20 ms. If every pass computed for 10 ms, a round would take a second.
    expect(numTurns).toBeGreaterThan(8);
    // Every pass makes at least a fifth of the progress of the fastest one.
    expect(Math.min(...numBatches)).toBeGreaterThan(0.2 * Math.max(...numBatches));
  },
);
