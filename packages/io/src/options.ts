import { SchemaError } from "@tfxio/wire";
import { DEFAULT_WORKERS } from "#worker";
import {
  aBoolean,
  aFunction,
  anAbortSignal,
  anInteger,
  aPositiveInteger,
  oneOf,
  type OptionRules,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { RecordBatchesOptions } from "./tfxio.js";

/** {@link RecordBatchesOptions} with defaults applied. */
export interface CheckedRecordBatchesOptions extends RecordBatchesOptions {
  readonly dropFinalBatch: boolean;
  readonly numEpochs: number;
  readonly shuffle: boolean | "all";
  readonly shuffleBufferSize: number;
  /**
   * The `shuffleBufferSize` that the caller passed, which is the number of rows in memory at once with `shuffle: "all"`. If
   * undefined, the reader chooses this number.
   */
  readonly rowsInMemory: number | undefined;
  readonly workers: number | "auto";
  readonly sloppyOrdering: boolean;
}

/** Rules for the options of `recordBatches`. */
export const RECORD_BATCHES_RULES: OptionRules<RecordBatchesOptions> = {
  batchSize: aPositiveInteger,
  dropFinalBatch: aBoolean,
  numEpochs: rule(
    "a positive integer or Infinity",
    (value) => value === Number.POSITIVE_INFINITY || aPositiveInteger.holds(value),
  ),
  shuffle: oneOf(true, false, "all"),
  shuffleBufferSize: aPositiveInteger,
  shuffleSeed: anInteger(0),
  readerNumThreads: aPositiveInteger,
  workers: rule(
    'an integer of at least 0 or "auto"',
    (value) => value === "auto" || anInteger(0).holds(value),
  ),
  sloppyOrdering: aBoolean,
  signal: anAbortSignal,
  onProgress: aFunction,
};

/**
 * Applies the defaults to options that satisfy {@link RECORD_BATCHES_RULES}.
 * @throws {ArgumentError} `invalid-argument` for options that contradict each other, or an option that has no effect with the
 *   others.
 */
export function resolveReadOptions(options: RecordBatchesOptions): CheckedRecordBatchesOptions {
  const checked = {
    ...options,
    dropFinalBatch: options.dropFinalBatch ?? false,
    numEpochs: options.numEpochs ?? 1,
    shuffle: options.shuffle ?? false,
    shuffleBufferSize: options.shuffleBufferSize ?? 10000,
    rowsInMemory: options.shuffleBufferSize,
    workers: options.workers ?? DEFAULT_WORKERS,
    sloppyOrdering: options.sloppyOrdering ?? false,
  };
  assertWorkers(checked.workers, options.readerNumThreads);
  if (checked.shuffle === "all") assertReadByNumber(options);
  for (const name of ["shuffleSeed", "shuffleBufferSize"] as const) {
    if (options[name] !== undefined && checked.shuffle === false) {
      throw unusableArgument(name, "has no effect without shuffle");
    }
  }
  if (checked.dropFinalBatch && options.batchSize === undefined) {
    throw unusableArgument("dropFinalBatch", "requires batchSize, because without it no batch is incomplete");
  }
  return checked;
}

/**
 * Rejects `shuffle` and `batchSize`, which mix rows of several batches. Called for data without a schema, whose batches may have
 * different columns.
 * @throws {SchemaError} `schema-required` (`mixed-batches`).
 */
export function assertBatchesApart({ shuffle = false, batchSize }: RecordBatchesOptions): void {
  if (shuffle === false && batchSize === undefined) return;
  const option = shuffle !== false ? "shuffle" : "batchSize";
  throw new SchemaError(
    "schema-required",
    `${option} mixes rows of several batches, whose columns may differ without a schema; ` +
      "open with a schema or with inferSchema.",
    { reason: "mixed-batches" },
  );
}

/**
 * Rejects options that have no effect with `shuffle: "all"`. Such a shuffle reads rows by number from all files, on the calling
 * thread.
 */
function assertReadByNumber(options: RecordBatchesOptions): void {
  const { readerNumThreads, workers, sloppyOrdering, onProgress } = options;
  const all = 'shuffle "all", which reads rows by number on the calling thread';
  const problem = `cannot be combined with ${all}`;
  if (readerNumThreads !== undefined) throw unusableArgument("readerNumThreads", problem);
  if (typeof workers === "number" && workers > 0) {
    throw unusableArgument(
      "workers",
      `must be 0 or "auto", found ${workers}: shuffle "all" reads rows by number on the calling thread`,
    );
  }
  if (sloppyOrdering === true) throw unusableArgument("sloppyOrdering", problem);
  if (onProgress !== undefined) {
    throw unusableArgument(
      "onProgress",
      'reports one file at a time, but shuffle "all" reads all files at once; wrap the dataset in withProgress instead',
    );
  }
}

function assertWorkers(workers: number | "auto", readerNumThreads: number | undefined): void {
  if (workers === "auto") return;
  if (readerNumThreads !== undefined && workers > readerNumThreads) {
    const idle = workers - readerNumThreads;
    throw unusableArgument(
      "workers",
      `must be at most readerNumThreads (${readerNumThreads}), found ${workers}: ${idle} would be idle`,
    );
  }
}
