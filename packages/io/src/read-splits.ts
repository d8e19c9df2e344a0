import type { ReadOptions, ReadProgress, Split } from "@tfxio/format";

/** Reads one split. */
export type ReadSplit<Item> = (split: Split, options: ReadOptions) => AsyncIterable<Item>;

/** How the splits of one pass are read. */
export interface ReadSplitsOptions {
  /** Splits read at the same time; their batches take turns. */
  readonly readers: number;
  /** False: a batch goes out as soon as any reader has one. */
  readonly ordered: boolean;
  /** Called when reading ends before the splits do, so that nobody waits for what readers have under way. */
  readonly onLeave?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((split: Split, progress: ReadProgress) => void) | undefined;
}

interface ActiveReader<Item> {
  readonly iterator: AsyncIterator<Item>;
  pending: Promise<{ readonly reader: ActiveReader<Item>; readonly result: IteratorResult<Item> }>;
}

/**
 * What `read` gives for `splits`, `readers` splits at a time, each reader at most one batch ahead.
 * In order, readers take turns batch by batch, and a reader that ends is replaced by the next split in its place:
 * the same splits always give the same sequence. An error or an early end closes every open split.
 */
export async function* readSplits<Item>(
  read: ReadSplit<Item>,
  splits: readonly Split[],
  options: ReadSplitsOptions,
): AsyncGenerator<Item, void, undefined> {
  const waiting = [...splits];
  const active: ActiveReader<Item>[] = [];
  const openNext = (): ActiveReader<Item> | undefined => {
    const split = waiting.shift();
    if (split === undefined) return undefined;
    const { signal, onProgress } = options;
    const items = read(split, {
      signal,
      onProgress: onProgress && ((progress) => onProgress(split, progress)),
    });
    return start(items[Symbol.asyncIterator]());
  };
  try {
    while (active.length < options.readers && waiting.length > 0)
      active.push(openNext() as ActiveReader<Item>);
    let turn = 0;
    while (active.length > 0) {
      const next = active[turn % active.length] as ActiveReader<Item>;
      const { reader, result } = await (options.ordered
        ? next.pending
        : Promise.race(active.map((r) => r.pending)));
      options.signal?.throwIfAborted();
      const place = active.indexOf(reader);
      if (result.done) {
        const replacement = openNext();
        if (replacement) active[place] = replacement;
        else active.splice(place, 1);
        turn = place;
        continue;
      }
      advance(reader);
      turn = (place + 1) % active.length;
      yield result.value;
    }
  } finally {
    if (active.length > 0) await options.onLeave?.();
    await Promise.all(active.map((reader) => close(reader)));
  }
}

function start<Item>(iterator: AsyncIterator<Item>): ActiveReader<Item> {
  const reader = { iterator } as ActiveReader<Item>;
  advance(reader);
  return reader;
}

function advance<Item>(reader: ActiveReader<Item>): void {
  reader.pending = reader.iterator.next().then((result) => ({ reader, result }));
  // A reader ahead of its turn may fail before anyone waits for it; the error is met when its turn comes.
  reader.pending.catch(() => {});
}

async function close<Item>(reader: ActiveReader<Item>): Promise<void> {
  await reader.pending.catch(() => {});
  await reader.iterator.return?.();
}
