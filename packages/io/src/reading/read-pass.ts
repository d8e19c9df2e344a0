import { interleaveBatches, type OpenPart } from "@tfxio/dataset";
import type { ReadOptions, ReadPlan, ReadProgress, Split } from "@tfxio/format";
import { handedOver, type ItemReader, itemsOf, Random } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { CheckedRecordBatchesOptions } from "../options.js";
import type { TfxioProgress } from "../tfxio.js";
import type { ReadSplit } from "./read-split.js";

/** If this package shuffles the rows, this many splits take turns even with fewer readers, so that rows of many splits mix. */
const MIXED_SPLITS = 8;
/** Number of rows taken from one split per turn, so that the shuffle buffer holds rows of every open split. */
const TURN_ROWS = 64;

/** Pass k orders the splits by the random stream `ORDER_STREAM + k`, which is distinct from all streams that draw rows. */
const ORDER_STREAM: number = 2 ** 40;

/** A plan, with the number of readers that read its splits, on the calling thread or in worker threads. */
export interface PlacedPlan {
  readonly plan: ReadPlan;
  /** Number of splits read at the same time. */
  readonly numReaders: number;
  /** Ends reads in worker threads, and gives the threads back for reuse. Later calls have no effect. */
  close(this: void): Promise<void>;
}

/** Settings of one pass over a plan. */
export interface PassSettings<Item> {
  /** Number of the pass, from 0. Every pass has a different shuffle order. */
  readonly pass: number;
  readonly seed: number;
  readonly options: CheckedRecordBatchesOptions;
  /**
   * True if the format shuffles rows itself. Otherwise this module only shuffles the splits, and the caller shuffles the rows.
   */
  readonly formatShuffles: boolean;
  /** Target size in bytes of the parts of a split; see {@link ReadPlan.subdivide}. */
  readonly splitBytes: number | undefined;
  readonly read: ReadSplit<Item>;
  readonly signal: AbortSignal | undefined;
  /** Totals over all passes so far. Undefined without `onProgress`. */
  readonly totals: ProgressTotals | undefined;
}

/** Total numbers of rows, bytes and skipped records, over all splits and passes. */
export interface ProgressTotals {
  /** Returns the `onProgress` callback for one read of `split`. */
  report(pass: number, split: Split): (progress: ReadProgress) => void;
}

/**
 * Yields the items of all splits, in one pass. Unless `sloppyOrdering` is set, the order depends only on the seed, the pass and
 * the options, not on threads or the machine.
 */
export function readPass<Item>(
  { plan, numReaders, close }: PlacedPlan,
  settings: PassSettings<Item>,
): AsyncIterable<Item> {
  const { options, pass, seed, signal, formatShuffles, splitBytes, totals } = settings;
  const random = Random.of(seed, ORDER_STREAM + pass);
  const splits = options.shuffle !== false ? shuffled(plan.splits, random) : plan.splits;
  const readOne = (split: Split, readOptions: ReadOptions): AsyncIterable<Item> =>
    settings.read(split, { ...readOptions, signal, onProgress: totals?.report(pass, split) });
  const isShuffled = options.shuffle !== false;
  const isMixed = isShuffled && !formatShuffles;
  const parts =
    isShuffled && formatShuffles
      ? mixedParts(splits, numReaders, options, random, readOne)
      : splits.map((split) => () => readParts(plan, split, readOne, { splitBytes, signal }));
  const turns = { sloppy: options.sloppyOrdering, onLeave: close, signal };
  if (!isMixed) return interleaveBatches(parts, { ...turns, cycleLength: numReaders });
  // Only a shuffled read gets here. Its items are record batches, because leases are never shuffled.
  return interleaveBatches(parts as unknown as OpenPart<RecordBatch>[], {
    ...turns,
    cycleLength: Math.max(numReaders, MIXED_SPLITS),
    turnRows: TURN_ROWS,
  }) as unknown as AsyncIterable<Item>;
}

/**
 * Distributes the splits over the readers. Each reader has one pool, in which the format shuffles the rows of the reader's
 * splits. All pools together hold about `shuffleBufferSize` rows.
 */
function mixedParts<Item>(
  splits: readonly Split[],
  numReaders: number,
  { shuffleBufferSize }: CheckedRecordBatchesOptions,
  random: Random,
  read: ReadSplit<Item>,
): (() => AsyncIterable<Item>)[] {
  const numGroups = Math.min(numReaders, splits.length);
  const numRows = Math.max(1, Math.ceil(shuffleBufferSize / Math.max(1, numGroups)));
  return Array.from({ length: numGroups }, (_, group) => {
    const [first, ...others] = splits.filter((__, index) => index % numGroups === group);
    const seed = random.next();
    return () => read(first as Split, { shuffle: { seed, numRows, with: others } });
  });
}

/**
 * Reads a split, part by part if `splitBytes` is set. The split is subdivided only when it is read, because subdividing may read
 * a footer.
 */
function readParts<Item>(
  plan: ReadPlan,
  split: Split,
  read: ReadSplit<Item>,
  { splitBytes, signal }: Pick<PassSettings<Item>, "splitBytes" | "signal">,
): AsyncIterable<Item> {
  if (splitBytes === undefined) return read(split, {});
  let waiting: Split[] | undefined;
  let items: ItemReader<Item> | undefined;
  return handedOver(
    async () => {
      waiting ??= [...((await plan.subdivide?.(split, { signal })) ?? [split])];
      for (;;) {
        const item = await items?.next();
        if (item !== undefined) return item;
        const part = waiting.shift();
        if (part === undefined) return undefined;
        items = itemsOf(() => read(part, {}));
      }
    },
    async () => items?.close(),
  );
}

/** Creates totals that are passed to `onProgress` whenever they change. Returns undefined without `onProgress`. */
export function createProgressTotals(
  onProgress: ((progress: TfxioProgress) => void) | undefined,
): ProgressTotals | undefined {
  if (onProgress === undefined) return undefined;
  const total = { numRows: 0, numBytes: 0, numSkipped: 0 };
  return {
    report(pass, { uri }) {
      let last = { numRows: 0, numBytes: 0, numSkipped: 0 };
      return ({ numRows, numBytes, numSkipped }) => {
        total.numRows += numRows - last.numRows;
        total.numBytes += numBytes - last.numBytes;
        total.numSkipped += numSkipped - last.numSkipped;
        last = { numRows, numBytes, numSkipped };
        onProgress({ epoch: pass, uri, ...total });
      };
    },
  };
}

/** Returns a copy of the list in random order (Fisher–Yates). */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const index = random.below(last + 1);
    [result[last], result[index]] = [result[index] as T, result[last] as T];
  }
  return result;
}
