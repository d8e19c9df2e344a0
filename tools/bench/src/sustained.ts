/**
 * Repeats a pass without a pause for at least `leastSeconds`, and resolves to the mean seconds of a pass. A pass over a small
 * set takes as little as 40 ms. Alone, it would mostly measure how a process restarts after a pause, which depends on the
 * subject: just-in-time compiled code needs about a second after each pause, native code needs none.
 * @param run Runs one pass and resolves to its seconds.
 */
export async function sustained(run: () => Promise<number>, leastSeconds: number): Promise<number> {
  let seconds = 0;
  let numPasses = 0;
  while (seconds < leastSeconds) {
    seconds += await run();
    numPasses++;
  }
  return seconds / numPasses;
}
