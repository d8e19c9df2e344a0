import { Random } from "@tfxio/dataset";
import type { ReadPlan, ReadRequest, Split } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { readSplits } from "./read-splits.js";
import { rebatch } from "./rebatch.js";
import { shuffleRows } from "./shuffle-rows.js";
import { type PlacedRead, placeRead, type WorkerAccess } from "./workers/place-read.js";

/** Keeps the random streams of passes apart; more epochs than anyone waits for. */
const EPOCHS_PER_PASS = 2 ** 24;

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
  const placed = await placeRead(plan, planned.request, planned.access, options);
  try {
    const rows = epochs(placed, options, pass);
    if (options.batchSize === undefined || plan.arrowSchema === undefined) yield* rows;
    else yield* rebatch(rows, plan.arrowSchema, options.batchSize, options.dropFinalBatch);
  } finally {
    await placed.close();
  }
}

async function* epochs(
  { plan, numReaders, close }: PlacedRead,
  options: CheckedRecordBatchesOptions,
  pass: number,
): AsyncGenerator<RecordBatch, void, undefined> {
  const seed = options.shuffleSeed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const report = reporter(options);
  for (let epoch = 0; epoch < options.numEpochs; epoch++) {
    const random = Random.of(seed, pass * EPOCHS_PER_PASS + epoch);
    const splits = options.shuffle ? shuffled(plan.splits, random) : plan.splits;
    const batches = readSplits(plan, splits, {
      readers: numReaders,
      ordered: !options.sloppyOrdering,
      onLeave: close,
      signal: options.signal,
      onProgress: report?.(epoch),
    });
    let isEmpty = true;
    const isShuffled = options.shuffle && plan.arrowSchema !== undefined;
    for await (const batch of isShuffled
      ? shuffleRows(batches, plan.arrowSchema, options.shuffleBufferSize, random)
      : batches) {
      isEmpty &&= batch.numRows === 0;
      yield batch;
    }
    // An endless repetition of nothing would never yield and never end.
    if (isEmpty) return;
  }
}

type SplitReporter = NonNullable<Parameters<typeof readSplits>[2]["onProgress"]>;

/** Adds up the splits' own counts, over splits and epochs. */
function reporter(options: CheckedRecordBatchesOptions): ((epoch: number) => SplitReporter) | undefined {
  const { onProgress } = options;
  if (onProgress === undefined) return undefined;
  const total = { numRows: 0, numBytes: 0, numSkipped: 0 };
  return (epoch) => {
    const seen = new Map<Split, typeof total>();
    return (split, { numRows, numBytes, numSkipped }) => {
      const last = seen.get(split) ?? { numRows: 0, numBytes: 0, numSkipped: 0 };
      seen.set(split, { numRows, numBytes, numSkipped });
      total.numRows += numRows - last.numRows;
      total.numBytes += numBytes - last.numBytes;
      total.numSkipped += numSkipped - last.numSkipped;
      onProgress({ epoch, uri: split.uri, ...total });
    };
  };
}

/** A copy in random order (Fisher–Yates). */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  const result: T[] = [];
  while (rest.length > 0) {
    const index = random.below(rest.length);
    result.push(rest[index] as T);
    rest[index] = rest.at(-1) as T;
    rest.pop();
  }
  return result;
}
