import type { HandedOver } from "./handed-over.js";
import { aFunction, assertArgument, invalidArgument, membersOf, rule } from "./checks/index.js";

const anIterator = rule("an async iterator with return()", (value) => {
  const { next, return: end } = membersOf(value);
  return aFunction.holds(next) && aFunction.holds(end);
});

/** An async iterator whose `return()` also cancels a pending `next()`. */
export interface CancellableIterator<Item> extends AsyncIterableIterator<Item, void, undefined> {
  next(): Promise<IteratorResult<Item, void>>;
  return(): Promise<IteratorResult<Item, void>>;
  [Symbol.asyncIterator](): CancellableIterator<Item>;
}

/**
 * Wraps the iterator that `read` returns, so that it can be cancelled while an item is pending. A plain generator handles
 * `return()` only after the pending item has arrived, which a stalled source may delay forever. Here, `return()` aborts
 * `leaving`, the signal passed to `read`. If the read then throws, the pending `next()` resolves as done instead.
 * @throws {ArgumentError} `invalid-argument` if `read` is not a function that returns an async iterator with `return()`.
 */
export function cancellable<Item>(
  read: (leaving: AbortSignal) => AsyncGenerator<Item, void, undefined> | HandedOver<Item>,
): CancellableIterator<Item> {
  assertArgument("read", read, aFunction, "cancellable");
  const leaving = new AbortController();
  const items = read(leaving.signal);
  if (!anIterator.holds(items))
    throw invalidArgument("read()", anIterator.expected, items, { owner: "cancellable" });
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
