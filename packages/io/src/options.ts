import { SchemaError } from "@tfxio/wire";
import { DEFAULT_WORKERS } from "#worker";
import { assertArgument, assertPositiveInteger, invalidArgument, show } from "./check-argument.js";
import type { RecordBatchesOptions } from "./tfxio.js";

/** {@link RecordBatchesOptions} with its defaults filled in and its values checked. */
export interface CheckedRecordBatchesOptions extends RecordBatchesOptions {
  readonly dropFinalBatch: boolean;
  readonly numEpochs: number;
  readonly shuffle: boolean;
  readonly shuffleBufferSize: number;
  readonly workers: number | "auto";
  readonly sloppyOrdering: boolean;
}

/** Names of the options of `recordBatches`. */
export const RECORD_BATCHES_OPTIONS = [
  "batchSize",
  "dropFinalBatch",
  "numEpochs",
  "shuffle",
  "shuffleBufferSize",
  "shuffleSeed",
  "readerNumThreads",
  "workers",
  "sloppyOrdering",
  "signal",
  "onProgress",
] as const;

/** Names of the options of `rawRecords`. */
export const RAW_RECORDS_OPTIONS = ["columnName", "signal"] as const;

/** Names of the options of `leasedBatches`. */
export const LEASED_BATCHES_OPTIONS = [
  "numEpochs",
  "readerNumThreads",
  "workers",
  "sloppyOrdering",
  "signal",
  "onProgress",
] as const;

/**
 * Fills in defaults. @throws {ArgumentError} `invalid-argument` for a value out of range, for a combination in which an
 * option could not act; {@link SchemaError} `schema-required` for options that need one schema for all batches.
 */
export function checkRecordBatchesOptions(
  options: RecordBatchesOptions,
  hasSchema: boolean,
): CheckedRecordBatchesOptions {
  const checked = {
    ...options,
    dropFinalBatch: options.dropFinalBatch ?? false,
    numEpochs: options.numEpochs ?? 1,
    shuffle: options.shuffle ?? false,
    shuffleBufferSize: options.shuffleBufferSize ?? 10000,
    workers: options.workers ?? DEFAULT_WORKERS,
    sloppyOrdering: options.sloppyOrdering ?? false,
  };
  for (const name of ["dropFinalBatch", "shuffle", "sloppyOrdering"] as const) {
    assertArgument(name, options[name], "boolean");
  }
  assertArgument("signal", options.signal, "signal");
  assertArgument("onProgress", options.onProgress, "function");
  if (options.batchSize !== undefined) assertPositiveInteger("batchSize", options.batchSize);
  if (checked.numEpochs !== Number.POSITIVE_INFINITY) assertPositiveInteger("numEpochs", checked.numEpochs);
  assertPositiveInteger("shuffleBufferSize", checked.shuffleBufferSize);
  const { readerNumThreads } = options;
  if (readerNumThreads !== undefined) assertPositiveInteger("readerNumThreads", readerNumThreads);
  assertWorkers(checked.workers, readerNumThreads);
  const { shuffleSeed = 0 } = options;
  if (!Number.isSafeInteger(shuffleSeed) || shuffleSeed < 0) {
    throw invalidArgument("shuffleSeed", `must be a safe integer of at least 0, not ${show(shuffleSeed)}`);
  }
  for (const name of ["shuffleSeed", "shuffleBufferSize"] as const) {
    if (options[name] !== undefined && !checked.shuffle) {
      throw invalidArgument(name, "has nothing to act on without shuffle");
    }
  }
  if (checked.dropFinalBatch && options.batchSize === undefined) {
    throw invalidArgument("dropFinalBatch", "needs a batchSize: without it, every batch is a whole one");
  }
  if (!hasSchema && (checked.shuffle || options.batchSize !== undefined)) {
    const option = checked.shuffle ? "shuffle" : "batchSize";
    throw new SchemaError(
      "schema-required",
      `${option} mixes rows of several batches, which describe themselves and may differ without a schema; ` +
        "open with a schema or with inferSchema",
      { reason: "mixed-batches" },
    );
  }
  return checked;
}

function assertWorkers(workers: number | "auto", readerNumThreads: number | undefined): void {
  if (workers === "auto" || workers === 0) return;
  if (!Number.isSafeInteger(workers) || workers < 0) {
    throw invalidArgument("workers", `must be an integer of at least 0 or "auto", not ${show(workers)}`);
  }
  if (readerNumThreads !== undefined && workers > readerNumThreads) {
    const idle = workers - readerNumThreads;
    throw invalidArgument(
      "workers",
      `would leave ${idle} idle: readerNumThreads is ${readerNumThreads}, not ${workers}`,
    );
  }
}
