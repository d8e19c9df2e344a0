/**
 * What `read` gives, left also while the next item is awaited: a generator alone would answer `return()` only when that
 * has come, which a stalled source may put off for ever. `leaving` aborts then, and the read under way ends as at the
 * end of its items, whatever it throws.
 */
export function leavable<Item>(
  read: (leaving: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncIterableIterator<Item, void, undefined> {
  const leaving = new AbortController();
  const items = read(leaving.signal);
  const ended = (error: unknown): IteratorReturnResult<void> => {
    if (leaving.signal.aborted) return { done: true, value: undefined };
    throw error;
  };
  return {
    next: () => items.next().catch(ended),
    return() {
      leaving.abort();
      return items.return().catch(ended);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
