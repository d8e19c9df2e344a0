import { type Dataset, fromRecordBatches, type FromRecordBatchesOptions } from "@tfxio/dataset";
import type { ReadPlan } from "@tfxio/format";
import { leavable, linkSignals } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { cutForReaders } from "./reading/cut-splits.js";
import { createProgressTotals, readPass } from "./reading/read-pass.js";
import { placeRead, type WorkerAccess } from "./workers/place-read.js";

/** What is read, and what other threads need to read the same. */
export interface PlannedRead {
  /** Gives the same plan every time. */
  readonly plan: () => Promise<ReadPlan>;
  /** The format draws rows of a shuffled read itself. */
  readonly formatShuffles: boolean;
  /** See {@link ReadRequest.splitBytes}. */
  readonly splitBytes: number | undefined;
  readonly rowCount: RowCount;
  readonly access: WorkerAccess;
}

/** Rows of one pass: known of the splits, or once a pass has counted them. */
export class RowCount {
  #known: number | undefined;
  readonly #isSameAgain: boolean;

  /** @param isSameAgain every pass gives the same rows */
  constructor(known: number | undefined, isSameAgain: boolean) {
    this.#known = known;
    this.#isSameAgain = isSameAgain;
  }

  get known(): number | undefined {
    return this.#known;
  }

  /** Takes the count of a pass that came to its end. */
  learn(numRows: number): void {
    if (this.#isSameAgain) this.#known ??= numRows;
  }
}

/** What rows are, and what becomes of them. */
export type RowConversion = Pick<FromRecordBatchesOptions, "arrowSchema" | "toHost" | "independentRows">;

/** Reads the batches of one pass; `pass` numbers the passes, so that each of them shuffles `seed` in its own way. */
type ReadOnePass = (
  order: { readonly pass: number; readonly seed: number },
  signal: AbortSignal | undefined,
) => AsyncGenerator<RecordBatch, void, undefined>;

/** All rows of a plan under the options' order: splits (shuffled) → rows in turns → shuffle → epochs. */
export function rowsOf(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
  conversion: RowConversion,
): Dataset<unknown> {
  const { shuffleSeed: seed } = options;
  const read = passReader(planned, options);
  const source = fromRecordBatches((pass) => read(pass, pass.signal), {
    ...conversion,
    seed,
    description: describeOrder(planned, options),
    ordered: !options.sloppyOrdering,
    reshuffled: options.shuffle || options.sloppyOrdering,
    cardinality: () => planned.rowCount.known ?? "unknown",
  });
  const rows =
    options.shuffle && !planned.formatShuffles
      ? source.shuffle(options.shuffleBufferSize, { seed: seed === undefined ? seed : seed % 2 ** 32 })
      : source;
  const { numEpochs } = options;
  return numEpochs === 1 ? rows : rows.repeat(numEpochs === Number.POSITIVE_INFINITY ? -1 : numEpochs);
}

/** All batches of a plan. Batches may span files and epochs where they are of an exact size or shuffled. */
export function recordBatchesOf(
  planned: PlannedRead,
  arrowSchema: ArrowSchema | undefined,
  options: CheckedRecordBatchesOptions,
): AsyncIterable<RecordBatch> {
  const { batchSize, dropFinalBatch, signal } = options;
  if (arrowSchema === undefined) return selfDescribedBatches(planned, options);
  return {
    [Symbol.asyncIterator]() {
      const rows = rowsOf(planned, options, { arrowSchema, toHost: () => ({}), independentRows: true });
      const batches = rows.recordBatches(
        batchSize === undefined ? { signal } : { batchSize, dropRemainder: dropFinalBatch, signal },
      );
      return batches[Symbol.asyncIterator]();
    },
  };
}

/** Batches that may differ from one another pass through as they are. */
function selfDescribedBatches(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
): AsyncIterable<RecordBatch> {
  return {
    [Symbol.asyncIterator]: () =>
      leavable(async function* (leaving) {
        const link = linkSignals(leaving, options.signal);
        const read = passReader(planned, options);
        try {
          for (let epoch = 0; epoch < options.numEpochs; epoch++) {
            let isEmpty = true;
            for await (const batch of read({ pass: epoch, seed: 0 }, link.signal)) {
              isEmpty = false;
              yield batch;
            }
            // An endless repetition of nothing would never end.
            if (isEmpty) return;
          }
        } finally {
          link.unlink();
        }
      }),
  };
}

/** The options that decide the order of rows, beside the seed. */
function describeOrder(
  { splitBytes, formatShuffles }: PlannedRead,
  options: CheckedRecordBatchesOptions,
): string {
  const { shuffle, shuffleBufferSize } = options;
  const numReaders = numReadersOf(options);
  return JSON.stringify({ shuffle: shuffle && shuffleBufferSize, formatShuffles, numReaders, splitBytes });
}

function numReadersOf({ readerNumThreads, workers }: CheckedRecordBatchesOptions): number {
  return Math.max(readerNumThreads ?? 1, workers === "auto" ? 1 : workers);
}

function passReader(planned: PlannedRead, options: CheckedRecordBatchesOptions): ReadOnePass {
  const totals = createProgressTotals(options.onProgress);
  return async function* ({ pass, seed }, signal) {
    signal?.throwIfAborted();
    const numReaders = numReadersOf(options);
    const { splitBytes } = planned;
    const plan = await cutForReaders(await planned.plan(), { splitBytes, numReaders, signal });
    const placed = await placeRead(plan, planned.access, { ...options, signal });
    try {
      let numRows = 0;
      const batches = readPass<RecordBatch>(placed, {
        pass,
        seed,
        options,
        splitBytes,
        formatShuffles: planned.formatShuffles,
        read: (split, readOptions) => placed.plan.read(split, readOptions),
        signal,
        totals,
      });
      for await (const batch of batches) {
        numRows += batch.numRows;
        yield batch;
      }
      planned.rowCount.learn(numRows);
    } finally {
      await placed.close();
    }
  };
}
