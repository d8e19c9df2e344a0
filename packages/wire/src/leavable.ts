import { aFunction, assertArgument, invalidArgument, membersOf, rule } from "./checks/index.js";

const aGenerator = rule("an async generator function", (value) => {
  const { next, return: end } = membersOf(value);
  return aFunction.holds(next) && aFunction.holds(end);
});

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
 * @throws {ArgumentError} `invalid-argument` when `read` is not an async generator function.
 */
export function leavable<Item>(
  read: (leaving: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): LeavableIterator<Item> {
  assertArgument("read", read, aFunction, "leavable");
  const leaving = new AbortController();
  const items = read(leaving.signal);
  if (!aGenerator.holds(items))
    throw invalidArgument("read", aGenerator.expected, read, { owner: "leavable" });
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
