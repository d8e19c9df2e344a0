/**
 * Repeats a pass without a pause for at least `leastSeconds`, and resolves to the mean seconds of a pass. A pass over a small
 * set takes as little as 40 ms. A single such pass would mostly measure how fast a process continues after a pause. Code from
 * a just-in-time compiler needs about a second to reach full speed again, and native code needs no time.
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
