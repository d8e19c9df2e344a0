import type { ReadPlan, ReadRequest } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import { epochs } from "./epochs.js";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { rebatch } from "./rebatch.js";
import { shuffleRows } from "./shuffle-rows.js";
import { placeRead, type WorkerAccess } from "./workers/place-read.js";

/** What is read, and what other threads need to read the same. */
export interface PlannedRead {
  /** Gives the same plan every time. */
  readonly plan: () => Promise<ReadPlan>;
  /** What the plan was made of; an inferred schema stands in it as given. */
  readonly request: ReadRequest;
  readonly access: WorkerAccess;
}

/**
 * All batches of a plan under the options' order: files (shuffled) → rows in turns → shuffle buffer → epochs → batches.
 * So a batch may span files and epochs. Every epoch shuffles anew, and every `pass` otherwise than the others.
 */
export async function* recordBatchesOf(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
  pass: number,
): AsyncGenerator<RecordBatch, void, undefined> {
  options.signal?.throwIfAborted();
  const plan = await planned.plan();
  const { arrowSchema } = plan;
  const placed = await placeRead(plan, planned.request, planned.access, options);
  try {
    const rows = epochs(placed, options, pass, {
      read: (split, readOptions) => placed.plan.read(split, readOptions),
      numRows: (batch) => batch.numRows,
      reorder: (batches, random) =>
        options.shuffle && arrowSchema !== undefined
          ? shuffleRows(batches, arrowSchema, options.shuffleBufferSize, random)
          : batches,
    });
    if (options.batchSize === undefined || arrowSchema === undefined) yield* rows;
    else yield* rebatch(rows, arrowSchema, options.batchSize, options.dropFinalBatch);
  } finally {
    await placed.close();
  }
}
