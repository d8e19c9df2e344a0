import { linkSignals } from "@tfxio/wire";

/**
 * What `read` gives, left also while the next item is awaited: a generator alone would answer `return()` only when that
 * has come. The read under way is aborted then, and ends as at the end of its items.
 * @param signal the caller's, which makes it reject instead
 */
export function leavable<Item>(
  signal: AbortSignal | undefined,
  read: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncIterableIterator<Item, void, undefined> {
  const leaving = new AbortController();
  const items = guarded();
  async function* guarded(): AsyncGenerator<Item, void, undefined> {
    const link = linkSignals(leaving.signal, signal);
    try {
      yield* read(link.signal);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      link.unlink();
    }
  }
  return {
    next: () => items.next(),
    return() {
      leaving.abort();
      return items.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
