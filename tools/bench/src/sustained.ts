/** The least time that a subject works in a row, in seconds. */
const LEAST_SECONDS = 2;

/**
 * The mean seconds of passes that follow each other without a pause, at least two seconds of them. A pass of a small set takes as
 * little as 40 ms. On its own it would mostly show how an idle process starts again, and that differs by subject: a compiler that works
 * while the program runs needs about a second after each pause, native code needs none.
 * @param run one pass; resolves to its seconds.
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
