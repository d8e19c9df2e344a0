/**
 * Repeats a pass without a pause for at least `leastSeconds`, and resolves to the mean time of a pass in seconds. A pass over
 * a small set takes as little as 40 ms. A single such pass would mostly measure how quickly a process resumes after a pause. Code
 * from a just-in-time compiler needs about a second to return to full speed, whereas native code is fast immediately.
 * @param run Runs one pass and resolves to its time in seconds.
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
