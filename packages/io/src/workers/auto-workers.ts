/**
 * Inputs of less are read on the calling thread, which is done with them about as soon as another one has started: that
 * takes half a second of processor time.
 */
const MIN_AUTO_BYTES = 512 * 2 ** 20;

/** One consumer hardly takes what so many threads decode. */
const MAX_AUTO_WORKERS = 8;

/** What `workers: "auto"` looks at. */
export interface AutoWorkersInput {
  /** Threads that run at once on this machine. */
  readonly cores: number;
  readonly isGzip: boolean;
  /** Stored bytes of every source; one that is not known counts as large. */
  readonly byteLengths: readonly (number | undefined)[];
  /** Splits of the plan: for most formats, files. */
  readonly numSplits: number;
  readonly readerNumThreads: number | undefined;
  readonly sloppyOrdering: boolean;
}

/**
 * Threads that `workers: "auto"` starts: at most as many as splits are read at a time, which the machine has no say in
 * unless the order does not matter. A core stays with the calling thread, which trains meanwhile. Gzip is inflated
 * beside the thread that decodes and takes more time than that, so such a worker counts for two.
 */
export function autoWorkers(input: AutoWorkersInput): number {
  const { cores, isGzip, byteLengths, numSplits, sloppyOrdering } = input;
  const { readerNumThreads = sloppyOrdering ? numSplits : 1 } = input;
  let numBytes = 0;
  for (const byteLength of byteLengths) numBytes += byteLength ?? Number.POSITIVE_INFINITY;
  if (numBytes < MIN_AUTO_BYTES) return 0;
  const ofCores = isGzip ? Math.floor(cores / 2) : cores - 1;
  return Math.min(readerNumThreads, numSplits, ofCores, MAX_AUTO_WORKERS);
}
