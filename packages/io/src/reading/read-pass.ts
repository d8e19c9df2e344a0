import { interleaveBatches, type OpenPart } from "@tfxio/dataset";
import type { ReadOptions, ReadPlan, ReadProgress, Split } from "@tfxio/format";
import { Random } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { CheckedRecordBatchesOptions } from "../options.js";
import type { TfxioProgress } from "../tfxio.js";
import type { ReadSplit } from "./read-split.js";

/** Splits that are open at once when rows are shuffled above a format: their rows mix. */
const MIXED_SPLITS = 8;
/** Rows of one split before the next has its turn, so that a shuffle buffer holds rows of each. */
const TURN_ROWS = 64;

/** Keeps the order of splits apart from the streams that a shuffle draws rows from. */
const ORDER_STREAM: number = 2 ** 40;

/** Where a plan's splits are read, and by how many readers. */
export interface PlacedPlan {
  readonly plan: ReadPlan;
  /** Splits to be read at the same time. */
  readonly numReaders: number;
  /** Ends the reads, and gives back their threads. Safe to call twice. */
  close(this: void): Promise<void>;
}

/** How one pass over a plan is read. */
export interface PassSettings<Item> {
  /** Number of the pass: every pass shuffles in its own way. */
  readonly pass: number;
  readonly seed: number;
  readonly options: CheckedRecordBatchesOptions;
  /** The format draws rows itself; else its splits only take turns, and the caller shuffles. */
  readonly formatShuffles: boolean;
  /** Wanted size of what splits are cut into; see {@link ReadPlan.subdivide}. */
  readonly splitBytes: number | undefined;
  readonly read: ReadSplit<Item>;
  readonly signal: AbortSignal | undefined;
  /** Where the passes of one iteration add up; absent when nobody asks for progress. */
  readonly totals: ProgressTotals | undefined;
}

/** Adds up the counts of splits, over passes. */
export interface ProgressTotals {
  report(pass: number, split: Split): (progress: ReadProgress) => void;
}

/** The items of all splits once. The order depends on seed, pass and options alone, not on threads or machine. */
export function readPass<Item>(
  { plan, numReaders, close }: PlacedPlan,
  settings: PassSettings<Item>,
): AsyncIterable<Item> {
  const { options, pass, seed, signal, formatShuffles, splitBytes, totals } = settings;
  const random = Random.of(seed, ORDER_STREAM + pass);
  const splits = options.shuffle ? shuffled(plan.splits, random) : plan.splits;
  const readOne = (split: Split, readOptions: ReadOptions): AsyncIterable<Item> =>
    settings.read(split, { ...readOptions, signal, onProgress: totals?.report(pass, split) });
  const isMixed = options.shuffle && !formatShuffles;
  const parts =
    options.shuffle && formatShuffles
      ? mixedParts(splits, numReaders, options, random, readOne)
      : splits.map((split) => () => readParts(plan, split, readOne, { splitBytes, signal }));
  const turns = { sloppy: options.sloppyOrdering, onLeave: close, signal };
  if (!isMixed) return interleaveBatches(parts, { ...turns, cycleLength: numReaders });
  // Rows are only shuffled as record batches, never as leases.
  return interleaveBatches(parts as unknown as OpenPart<RecordBatch>[], {
    ...turns,
    cycleLength: Math.max(numReaders, MIXED_SPLITS),
    turnRows: TURN_ROWS,
  }) as unknown as AsyncIterable<Item>;
}

/** Splits dealt out to readers, each of which draws from a pool of its own. */
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

/** A split, cut into parts first where that was asked for; only when its turn comes, since it may read a footer. */
async function* readParts<Item>(
  plan: ReadPlan,
  split: Split,
  read: ReadSplit<Item>,
  { splitBytes, signal }: Pick<PassSettings<Item>, "splitBytes" | "signal">,
): AsyncGenerator<Item, void, undefined> {
  const parts = splitBytes === undefined ? undefined : await plan.subdivide?.(split, { signal });
  for (const part of parts ?? [split]) yield* read(part, {});
}

/** Totals that `onProgress` is told of; undefined when there is none. */
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

/** A copy in random order (Fisher–Yates). */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const index = random.below(last + 1);
    [result[last], result[index]] = [result[index] as T, result[last] as T];
  }
  return result;
}
