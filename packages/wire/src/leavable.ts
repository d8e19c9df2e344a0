/** An iterator whose `return()` is answered at once, also while the next item is awaited. */
export interface LeavableIterator<Item> extends AsyncIterableIterator<Item, void, undefined> {
  next(): Promise<IteratorResult<Item, void>>;
  return(): Promise<IteratorResult<Item, void>>;
  [Symbol.asyncIterator](): LeavableIterator<Item>;
}

/**
 * The items of the generator `read`, which can be left while the next item is awaited. A generator alone answers
 * `return()` only after that item has come, which a stalled source may put off forever. Leaving aborts `leaving`; the
 * read under way then ends like a finished loop, whatever it throws.
 */
export function leavable<Item>(
  read: (leaving: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): LeavableIterator<Item> {
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
