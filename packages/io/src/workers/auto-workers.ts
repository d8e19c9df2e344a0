/**
 * Minimum input size in bytes. The calling thread reads a smaller input in about the time that a new thread takes to start, half
 * a second of processor time.
 */
const MIN_AUTO_BYTES = 512 * 2 ** 20;

/** Maximum number of threads. A single consumer can hardly keep up with more. */
const MAX_AUTO_WORKERS = 8;

/** The facts that `workers: "auto"` depends on. */
export interface AutoWorkersInput {
  /** Number of threads that this machine runs at once. */
  readonly cores: number;
  readonly isGzip: boolean;
  /** Stored bytes of every source. An unknown size is treated as large. */
  readonly byteLengths: readonly (number | undefined)[];
  /** Number of splits of the plan. For most formats, a split is a file. */
  readonly numSplits: number;
  readonly readerNumThreads: number | undefined;
  readonly sloppyOrdering: boolean;
}

/**
 * Returns the number of threads that `workers: "auto"` starts, at most one for each split read at a time. That number depends on
 * the machine only if the order does not matter. One core stays free for the calling thread, which trains meanwhile. A gzip
 * worker counts as two, because another thread inflates for it and takes longer than decoding.
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
