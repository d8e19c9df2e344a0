/** The minimum time for which a subject runs without a pause, in seconds. */
const LEAST_SECONDS = 2;

/**
 * Repeats a pass without a pause for at least two seconds, and resolves to the mean seconds of a pass. A pass over a small
 * set takes as little as 40 ms. A single such pass would mostly measure how fast a process continues after a pause. Code from
 * a just-in-time compiler needs about a second to reach full speed again, and native code needs no time.
 * @param run Runs one pass and resolves to its seconds.
 */
export async function sustained(run: () => Promise<number>): Promise<number> {
  let seconds = 0;
  let numPasses = 0;
  while (seconds < LEAST_SECONDS) {
    seconds += await run();
    numPasses++;
  }
  return seconds / numPasses;
}
