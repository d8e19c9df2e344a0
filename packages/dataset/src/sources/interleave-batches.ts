import { sliceBatch } from "@tfxio/arrow-encoding";
import { type HandedOver, handedOver } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import {
  aBoolean,
  aFunction,
  anAbortSignal,
  aPositiveInteger,
  assertOptions,
  required,
} from "@tfxio/wire/checks";

/** Opens one part of a source, such as a file, and yields its items in order. */
export type OpenPart<Item> = () => AsyncIterable<Item>;

/** Options of {@link interleaveBatches}. */
export interface InterleaveOptions {
  /** Parts that are open at the same time and take turns. */
  readonly cycleLength: number;
  /** True if an item is yielded as soon as any open part has one, in no particular order. Default false. */
  readonly sloppy?: boolean | undefined;
  /**
   * Called when reading ends before the parts do, ahead of closing them, so that nobody waits for what they have under
   * way.
   */
  readonly onLeave?: (() => Promise<void>) | undefined;
  /** Aborting it ends the loop with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link interleaveBatches} for record batches. */
export interface InterleaveRowsOptions extends InterleaveOptions {
  /**
   * Most rows of a turn: larger batches go out in slices, which share their buffers, so that a shuffle buffer holds rows
   * of all open parts. Default: a turn is a batch.
   */
  readonly turnRows?: number | undefined;
}

/**
 * The items of all parts, `cycleLength` parts at a time. A part is opened when its turn nears, and each open part reads
 * one item ahead. In order, parts take turns item by item, and the next part takes the place of one that ends: the same
 * parts always give the same sequence. An error or an early end closes every open part.
 * @throws {ArgumentError} `invalid-argument` at the call; later what the parts throw, and the reason of the signal.
 */
export function interleaveBatches(
  parts: readonly OpenPart<RecordBatch>[],
  options: InterleaveRowsOptions,
): HandedOver<RecordBatch>;
/** For other items, leases of batches for instance, a turn is an item. */
export function interleaveBatches<Item>(
  parts: readonly OpenPart<Item>[],
  options: InterleaveOptions,
): HandedOver<Item>;
export function interleaveBatches<Item>(
  parts: readonly OpenPart<Item>[],
  options: InterleaveRowsOptions,
): HandedOver<Item> {
  assertOptions("interleaveBatches", options, {
    cycleLength: required(aPositiveInteger),
    sloppy: aBoolean,
    onLeave: aFunction,
    turnRows: aPositiveInteger,
    signal: anAbortSignal,
  });
  const { turnRows } = options;
  if (turnRows === undefined) return interleave(parts, options, (item) => [item, undefined]);
  // By the overloads, items are record batches here.
  const cut = (item: unknown): readonly [unknown, unknown?] => cutBatch(item as RecordBatch, turnRows);
  return interleave(parts, options, cut as Cut<Item>);
}

/** The rows of one turn, and the rest of the item for later turns. */
type Cut<Item> = (item: Item) => readonly [turn: Item, rest?: Item | undefined];

interface OpenReader<Item> {
  readonly iterator: AsyncIterator<Item>;
  pending: Promise<IteratorResult<Item>>;
  /** Left of the item whose turn came last. */
  rest: Item | undefined;
}

function interleave<Item>(
  parts: readonly OpenPart<Item>[],
  { cycleLength, sloppy = false, onLeave, signal }: InterleaveOptions,
  cut: Cut<Item>,
): HandedOver<Item> {
  const waiting = [...parts];
  const open: OpenReader<Item>[] = [];
  const openNext = (): readonly OpenReader<Item>[] => {
    const part = waiting.shift();
    return part === undefined ? [] : [start(part()[Symbol.asyncIterator]())];
  };
  let turn = 0;
  const takeTurn = async (): Promise<Item | undefined> => {
    signal?.throwIfAborted();
    while (open.length < cycleLength && waiting.length > 0) open.push(...openNext());
    while (open.length > 0) {
      turn %= open.length;
      const place = sloppy ? await firstReady(open, turn) : turn;
      const reader = open[place] as OpenReader<Item>;
      let item = reader.rest;
      if (item === undefined) {
        const result = await reader.pending;
        signal?.throwIfAborted();
        if (result.done === true) {
          open.splice(place, 1, ...openNext());
          turn = place;
          continue;
        }
        advance(reader);
        item = result.value;
      }
      const [now, rest] = cut(item);
      reader.rest = rest;
      turn = place + 1;
      return now;
    }
    return undefined;
  };
  return handedOver(takeTurn, async () => {
    if (open.length > 0) await onLeave?.();
    await Promise.all(open.map(close));
  });
}

/** Place of the reader that has something first; of several that have, the next in turn. */
function firstReady<Item>(open: readonly OpenReader<Item>[], turn: number): Promise<number> {
  return Promise.race(
    open.map(async (_, step) => {
      const place = (turn + step) % open.length;
      const { rest, pending } = open[place] as OpenReader<Item>;
      // One await in either case: what is left of a batch must not outrun a batch that has arrived.
      await (rest === undefined ? pending : undefined);
      return place;
    }),
  );
}

function start<Item>(iterator: AsyncIterator<Item>): OpenReader<Item> {
  const pending = next(iterator);
  return { iterator, pending, rest: undefined };
}

function advance<Item>(reader: OpenReader<Item>): void {
  reader.pending = next(reader.iterator);
}

function next<Item>(iterator: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const result = iterator.next();
  // A reader ahead of its turn may fail before anyone waits for it; the error is met when its turn comes.
  result.catch(() => undefined);
  return result;
}

async function close<Item>({ iterator, pending }: OpenReader<Item>): Promise<void> {
  await pending.catch(() => undefined);
  await iterator.return?.();
}

function cutBatch(batch: RecordBatch, numRows: number): readonly [RecordBatch, RecordBatch?] {
  if (batch.numRows <= numRows) return [batch];
  return [sliceBatch(batch, 0, numRows), sliceBatch(batch, numRows, batch.numRows)];
}
