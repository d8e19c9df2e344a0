import {
  type Dataset,
  fromRandomAccess,
  fromRecordBatches,
  type FromRecordBatchesOptions,
  type RandomAccessRows,
} from "@tfxio/dataset";
import type { ReadPlan } from "@tfxio/format";
import { type HandedOver, handedOver, itemsOf, cancellable, linkSignals } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { cutForReaders, numReadersOf } from "./reading/cut-splits.js";
import type { AllRows } from "./reading/open-all-rows.js";
import { rowsInAnyOrder } from "./reading/rows-in-any-order.js";
import { createProgressTotals, type PlacedPlan, readPass } from "./reading/read-pass.js";
import { placeRead, type WorkerAccess } from "./workers/place-read.js";

/** A planned read, with everything that other threads need to repeat it. */
export interface PlannedRead {
  /** Returns the same plan every time. */
  readonly plan: () => Promise<ReadPlan>;
  /** True if the format can shuffle rows itself. */
  readonly formatShuffles: boolean;
  /** See {@link ReadRequest.splitBytes}. */
  readonly splitBytes: number | undefined;
  readonly rowCount: RowCount;
  /**
   * Checks that rows can be read by number. Returns a function that opens all rows; repeated calls share the opened rows.
   * @throws {ArgumentError} `invalid-argument` (`no-random-access`). The returned function throws `unsupported` for a file that
   *   can only be read in order.
   */
  readonly openAllRows: () => () => Promise<AllRows>;
  /** A short string that identifies the files, the filter and the sample. */
  readonly fingerprint: string;
  /** The description and sources that worker threads need to repeat the read. */
  readonly access: WorkerAccess;
}

/**
 * Number of rows in one pass. Known from the start if the splits state their numbers of rows and no filter or sample drops rows.
 * Otherwise known once the rows have been counted, if every pass yields the same rows.
 */
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

  /** Records the number of rows in one pass, unless passes may differ. */
  learn(numRows: number): void {
    if (this.#isSameAgain) this.#known ??= numRows;
  }
}

/** Arrow schema of the rows, and their conversion to host columns. */
export type RowConversion = Pick<FromRecordBatchesOptions, "arrowSchema" | "toHost" | "independentRows">;

/**
 * Reads the batches of one pass. `pass` is the number of the pass, from 0. Together with `seed`, it determines the shuffle order.
 */
type ReadOnePass = (
  order: { readonly pass: number; readonly seed: number },
  signal: AbortSignal | undefined,
) => HandedOver<RecordBatch>;

/** Returns all rows of a plan as a dataset, in the requested order and for the requested number of passes. */
export function rowsOf(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
  conversion: RowConversion,
): Dataset<unknown> {
  const { shuffle, numEpochs } = options;
  const rows = (shuffle === "all" ? rowsByNumber : rowsInTurns)(planned, options, conversion);
  return numEpochs === 1 ? rows : rows.repeat(numEpochs === Number.POSITIVE_INFINITY ? -1 : numEpochs);
}

/**
 * Returns a dataset that reads the splits. Splits that are read at the same time take turns. With `shuffle`, shuffles the splits,
 * and also the rows within a buffer, unless the format shuffles rows itself.
 */
function rowsInTurns(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
  conversion: RowConversion,
): Dataset<unknown> {
  const { shuffle, shuffleBufferSize, shuffleSeed: seed, sloppyOrdering } = options;
  const read = passReader(planned, options);
  const source = fromRecordBatches((pass) => read(pass, pass.signal), {
    ...conversion,
    seed,
    description: describeOrder(planned, options),
    ordered: !sloppyOrdering,
    reshuffled: shuffle !== false || sloppyOrdering,
    cardinality: () => planned.rowCount.known ?? "unknown",
  });
  if (shuffle === false || planned.formatShuffles) return source;
  return source.shuffle(shuffleBufferSize, { seed: shuffleSeedOf(options) });
}

/** Returns a dataset that reads all rows by number, in random order. */
function rowsByNumber(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
  conversion: RowConversion,
): Dataset<unknown> {
  const openAll = planned.openAllRows();
  const open = async (): Promise<RandomAccessRows> => {
    const rows = rowsInAnyOrder(await openAll(), options.rowsInMemory);
    planned.rowCount.learn(rows.numRows);
    return rows;
  };
  const source = fromRandomAccess(open, {
    ...conversion,
    description: planned.fingerprint,
    cardinality: () => planned.rowCount.known ?? "unknown",
  });
  return source.shuffle("all", { seed: shuffleSeedOf(options) });
}

function shuffleSeedOf({ shuffleSeed }: CheckedRecordBatchesOptions): number | undefined {
  return shuffleSeed === undefined ? undefined : shuffleSeed % 2 ** 32;
}

/** Yields all batches of a plan. With `batchSize`, a batch may span files and epochs. With only `shuffle`, it
 * may span files. */
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

/** Yields all batches of a plan unchanged, each with its own Arrow schema. */
function selfDescribedBatches(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
): AsyncIterable<RecordBatch> {
  return {
    [Symbol.asyncIterator]: () =>
      cancellable(async function* (leaving) {
        const link = linkSignals(leaving, options.signal);
        const read = passReader(planned, options);
        try {
          for (let epoch = 0; epoch < options.numEpochs; epoch++) {
            let isEmpty = true;
            for await (const batch of read({ pass: epoch, seed: 0 }, link.signal)) {
              isEmpty = false;
              yield batch;
            }
            // If an epoch has no rows, infinitely many epochs would loop forever without a batch.
            if (isEmpty) return;
          }
        } finally {
          link.unlink();
        }
      }),
  };
}

/**
 * Returns JSON that identifies the rows and their order. It holds the fingerprint of the data and the options that affect the
 * order. The seed is kept separately.
 */
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

function passReader(planned: PlannedRead, options: CheckedRecordBatchesOptions): ReadOnePass {
  const totals = createProgressTotals(options.onProgress);
  return ({ pass, seed }, signal) => {
    let placed: PlacedPlan | undefined;
    let numRows = 0;
    const batches = itemsOf(async () => {
      signal?.throwIfAborted();
      const { splitBytes } = planned;
      const plan = await cutForReaders(await planned.plan(), { ...options, splitBytes, signal });
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
