import { type Dataset, fromRecordBatches, type FromRecordBatchesOptions } from "@tfxio/dataset";
import type { ReadPlan } from "@tfxio/format";
import { type HandedOver, handedOver, itemsOf, leavable, linkSignals } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { cutForReaders } from "./reading/cut-splits.js";
import { createProgressTotals, type PlacedPlan, readPass } from "./reading/read-pass.js";
import { placeRead, type WorkerAccess } from "./workers/place-read.js";

/** A planned read, and everything that other threads need to repeat it. */
export interface PlannedRead {
  /** Returns the same plan every time. */
  readonly plan: () => Promise<ReadPlan>;
  /** True if the format shuffles rows itself. */
  readonly formatShuffles: boolean;
  /** See {@link ReadRequest.splitBytes}. */
  readonly splitBytes: number | undefined;
  readonly rowCount: RowCount;
  /** The files and the rows of them that are kept, in a few words. */
  readonly fingerprint: string;
  readonly access: WorkerAccess;
}

/** Number of rows of one pass: known from the splits, or once a pass has counted them. */
export class RowCount {
  #known: number | undefined;
  readonly #isSameAgain: boolean;

  /** @param isSameAgain True if every pass yields the same rows. */
  constructor(known: number | undefined, isSameAgain: boolean) {
    this.#known = known;
    this.#isSameAgain = isSameAgain;
  }

  get known(): number | undefined {
    return this.#known;
  }

  /** Records the count of a completed pass. */
  learn(numRows: number): void {
    if (this.#isSameAgain) this.#known ??= numRows;
  }
}

/** Type of the rows, and their conversion to host columns. */
export type RowConversion = Pick<FromRecordBatchesOptions, "arrowSchema" | "toHost" | "independentRows">;

/** Reads the batches of one pass. `pass` numbers the passes, so that each derives its own shuffle order from `seed`. */
type ReadOnePass = (
  order: { readonly pass: number; readonly seed: number },
  signal: AbortSignal | undefined,
) => HandedOver<RecordBatch>;

/** All rows of a plan, in the order that the options ask for: splits (shuffled) → rows in turns → shuffle → epochs. */
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

/** All batches of a plan. With `batchSize` or `shuffle`, batches may span files and epochs. */
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

/** All batches of a plan unchanged, each with its own Arrow schema. */
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
            // Repeating an empty pass forever would never end.
            if (isEmpty) return;
          }
        } finally {
          link.unlink();
        }
      }),
  };
}

/** The data and the options that determine, together with the seed, which rows come in which order, as JSON. */
function describeOrder(
  { splitBytes, formatShuffles, fingerprint }: PlannedRead,
  options: CheckedRecordBatchesOptions,
): string {
  const { shuffle, shuffleBufferSize } = options;
  const numReaders = numReadersOf(options);
  return JSON.stringify({
    shuffle: shuffle && shuffleBufferSize,
    formatShuffles,
    numReaders,
    splitBytes,
    data: fingerprint,
  });
}

function numReadersOf({ readerNumThreads, workers }: CheckedRecordBatchesOptions): number {
  return Math.max(readerNumThreads ?? 1, workers === "auto" ? 1 : workers);
}

function passReader(planned: PlannedRead, options: CheckedRecordBatchesOptions): ReadOnePass {
  const totals = createProgressTotals(options.onProgress);
  return ({ pass, seed }, signal) => {
    let placed: PlacedPlan | undefined;
    let numRows = 0;
    const batches = itemsOf(async () => {
      signal?.throwIfAborted();
      const numReaders = numReadersOf(options);
      const { splitBytes } = planned;
      const plan = await cutForReaders(await planned.plan(), { splitBytes, numReaders, signal });
      const own = await placeRead(plan, planned.access, { ...options, signal });
      placed = own;
      return readPass<RecordBatch>(own, {
        pass,
        seed,
        options,
        splitBytes,
        formatShuffles: planned.formatShuffles,
        read: (split, readOptions) => own.plan.read(split, readOptions),
        signal,
        totals,
      });
    });
    return handedOver(
      async () => {
        const batch = await batches.next();
        if (batch === undefined) planned.rowCount.learn(numRows);
        else numRows += batch.numRows;
        return batch;
      },
      async () => {
        try {
          await batches.close();
        } finally {
          await placed?.close();
        }
      },
    );
  };
}
