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
  /** Maximum number of parts that are open at the same time and take turns. */
  readonly cycleLength: number;
  /** Yields an item as soon as any open part has one, in no particular order. Default false. */
  readonly sloppy?: boolean | undefined;
  /**
   * Called when reading ends early, before the open parts are closed. Use it to cancel their pending work, so that closing
   * does not wait for it.
   */
  readonly onLeave?: (() => Promise<void>) | undefined;
  /** Cancels the reading: the loop over the result throws `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link interleaveBatches} for record batches. */
export interface InterleaveRowsOptions extends InterleaveOptions {
  /**
   * Maximum number of rows per turn. A larger batch is returned in slices over several turns, so that a shuffle buffer holds rows
   * of all open parts. Slices share the buffers of the batch. Default: one batch per turn.
   */
  readonly turnRows?: number | undefined;
}

/**
 * Interleaves the items of all parts, with up to `cycleLength` parts open at a time. Each open part reads one item ahead. When a
 * part ends, the next part that is not open yet takes its place. Unless `sloppy` is set, open parts take turns, with one item per
 * turn, so the order is deterministic. An error or an early end closes every open part.
 * @throws {ArgumentError} `invalid-argument` for invalid options. The loop throws the errors of the parts and `signal.reason`.
 */
export function interleaveBatches(
  parts: readonly OpenPart<RecordBatch>[],
  options: InterleaveRowsOptions,
): HandedOver<RecordBatch>;
/** Interleaves items of any type. Each turn yields one item. */
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
  // The overloads ensure that items are record batches here.
  const cut = (item: unknown): readonly [unknown, unknown?] => cutBatch(item as RecordBatch, turnRows);
  return interleave(parts, options, cut as Cut<Item>);
}

/** Splits an item into a part for this turn and the rest for later turns. The rest is undefined if nothing remains. */
type Cut<Item> = (item: Item) => readonly [turn: Item, rest?: Item | undefined];

interface OpenReader<Item> {
  readonly iterator: AsyncIterator<Item>;
  pending: Promise<IteratorResult<Item>>;
  /** The rest of the current item, for later turns. Undefined if nothing remains. */
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

/** Resolves to the index of the first reader that is ready. If several are ready, chooses the next in turn. */
function firstReady<Item>(open: readonly OpenReader<Item>[], turn: number): Promise<number> {
  return Promise.race(
    open.map(async (_, step) => {
      const place = (turn + step) % open.length;
      const { rest, pending } = open[place] as OpenReader<Item>;
      // Awaits once even if `rest` is set. Otherwise, the rest would overtake a batch that has already arrived.
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
  // A reader may fail before its turn. The error is reported on its turn, not as an unhandled rejection.
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
