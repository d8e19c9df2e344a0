/**
 * Minimum size in bytes of an input for which threads are started. Starting a thread takes half a second of processor time, about
 * as long as the calling thread needs to read an input of this size.
 */
const MIN_AUTO_BYTES = 512 * 2 ** 20;

/** Maximum number of threads. A single consumer can hardly keep up with the batches of more threads. */
const MAX_AUTO_WORKERS = 8;

/** The facts that `workers: "auto"` depends on. */
export interface AutoWorkersInput {
  /** Number of threads that this machine can run at the same time. */
  readonly cores: number;
  /** True if the input is gzip data. */
  readonly isGzip: boolean;
  /** Number of stored bytes of each source. If any is unknown, the input is assumed to be large. */
  readonly byteLengths: readonly (number | undefined)[];
  /** Number of splits of the plan. For most formats, a split is a file. */
  readonly numSplits: number;
  readonly readerNumThreads: number | undefined;
  readonly sloppyOrdering: boolean;
}

/**
 * Returns the number of threads that `workers: "auto"` starts: none for a small input, otherwise at most one for each split that
 * is read at the same time. The number of these splits is `readerNumThreads`, by default 1. With `sloppyOrdering`, the default is
 * `numSplits`. One core stays free for the calling thread, which usually trains a model. For gzip data, workers take at most half
 * of the cores, because each worker needs a second thread to inflate its input.
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
