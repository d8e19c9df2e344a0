import { linkSignals } from "@tfxio/wire";

/** Maximum size of an item to fetch ahead, in stored bytes. A larger item is fetched only when it is requested. */
const MAX_AHEAD_BYTES = 32 * 2 ** 20;

export interface FetchAhead<Item, Fetched> {
  readonly numBytesOf: (item: Item) => number;
  readonly fetch: (item: Item, signal: AbortSignal) => Promise<Fetched>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Fetches and yields each item. While the caller uses an item, the next one is fetched, if it is small enough. An error in that
 * fetch is thrown when the next item is requested. Leaving the loop aborts the fetch.
 */
export async function* fetchedAhead<Item, Fetched>(
  items: readonly Item[],
  { numBytesOf, fetch, signal }: FetchAhead<Item, Fetched>,
): AsyncGenerator<Fetched, void, undefined> {
  const leaving = new AbortController();
  const linked = linkSignals(signal, leaving.signal);
  let ahead: Promise<Fetched> | undefined;
  try {
    for (const [index, item] of items.entries()) {
      const fetched = await (ahead ?? fetch(item, linked.signal));
      const next = items[index + 1];
      ahead = undefined;
      if (next !== undefined && numBytesOf(next) <= MAX_AHEAD_BYTES) {
        ahead = fetch(next, linked.signal);
        // The error is rethrown when the item is awaited.
        ahead.catch(() => undefined);
      }
      yield fetched;
    }
  } finally {
    leaving.abort();
    linked.unlink();
  }
}
