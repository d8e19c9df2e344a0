import { Random } from "@tfxio/wire";
import type { Split } from "@tfxio/format";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { type ReadSplit, readSplits, type ReadSplitsOptions } from "./read-splits.js";
import type { PlacedRead } from "./workers/place-read.js";

/** Keeps the random streams of passes apart; more epochs than anyone waits for. */
const EPOCHS_PER_PASS = 2 ** 24;

/** What passes through epochs: batches, or leases of them. */
export interface EpochItems<Item> {
  readonly read: ReadSplit<Item>;
  numRows(this: void, item: Item): number;
  /** The items of one epoch in the order in which they go out. Default: as they are read. */
  reorder?(this: void, items: AsyncIterable<Item>, random: Random): AsyncIterable<Item>;
}

/** All items of a plan, as often as the options say. Every epoch has a random stream of its own, in every `pass`. */
export async function* epochs<Item>(
  { plan, numReaders, close }: PlacedRead,
  options: CheckedRecordBatchesOptions,
  pass: number,
  { read, numRows, reorder }: EpochItems<Item>,
): AsyncGenerator<Item, void, undefined> {
  const seed = options.shuffleSeed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const report = reporter(options);
  for (let epoch = 0; epoch < options.numEpochs; epoch++) {
    const random = Random.of(seed, pass * EPOCHS_PER_PASS + epoch);
    const splits = options.shuffle ? shuffled(plan.splits, random) : plan.splits;
    const items = readSplits(read, splits, {
      readers: numReaders,
      ordered: !options.sloppyOrdering,
      onLeave: close,
      signal: options.signal,
      onProgress: report?.(epoch),
    });
    let isEmpty = true;
    for await (const item of reorder?.(items, random) ?? items) {
      isEmpty &&= numRows(item) === 0;
      yield item;
    }
    // An endless repetition of nothing would never yield and never end.
    if (isEmpty) return;
  }
}

type SplitReporter = NonNullable<ReadSplitsOptions["onProgress"]>;

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
