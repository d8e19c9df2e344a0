import { aFunction, assertArgument } from "./checks/index.js";

/** An async iterator that keeps no reference to an item that it has returned. */
export interface HandedOver<Item> extends AsyncIterableIterator<Item, void, undefined> {
  next(): Promise<IteratorResult<Item, void>>;
  return(): Promise<IteratorResult<Item, void>>;
  [Symbol.asyncIterator](): HandedOver<Item>;
}

/**
 * Creates an iterator that yields the results of `next` until `next` returns undefined. A suspended generator keeps its last item
 * alive in a saved register. This iterator does not, which matters if items are large. Calls are queued, as in a generator.
 * @param close Called once: at the end, after an error, or at `return()`, whether or not `next` was ever called. After an error
 *   of `next`, an error from `close` is dropped.
 * @throws {ArgumentError} `invalid-argument` if `next` or `close` is not a function.
 */
export function handedOver<Item>(
  next: () => Promise<Item | undefined>,
  close: () => Promise<void> = async () => {},
): HandedOver<Item> {
  assertArgument("next", next, aFunction, "handedOver");
  assertArgument("close", close, aFunction, "handedOver");
  let isOver = false;
  let turn: Promise<void> = Promise.resolve();
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(run);
    // Drop the result, since the queue must not keep an item alive either.
    turn = result.then(ignore, ignore);
    return result;
  };
  const end = async (): Promise<IteratorReturnResult<void>> => {
    if (!isOver) {
      isOver = true;
      await close();
    }
    return { done: true, value: undefined };
  };
  const step = async (): Promise<IteratorResult<Item, void>> => {
    if (isOver) return end();
    let value: Item | undefined;
    try {
      value = await next();
    } catch (error) {
      await end().catch(ignore);
      throw error;
    }
    return value === undefined ? end() : { done: false, value };
  };
  return {
    next: () => inTurn(step),
    return: () => inTurn(end),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Reads the items of one iterable, one by one. */
export interface ItemReader<Item> {
  /** Returns the next item, or undefined at the end. */
  next(this: void): Promise<Item | undefined>;
  /** Closes the iterable. Does nothing if it has already ended or failed, or was never opened. */
  close(this: void): Promise<void>;
}

/**
 * Reads an iterable as a `for await` loop does. `open` is called at the first `next()`.
 * @throws {ArgumentError} `invalid-argument` if `open` is not a function.
 */
export function itemsOf<Item>(
  open: () => AsyncIterable<Item> | Promise<AsyncIterable<Item>>,
): ItemReader<Item> {
  assertArgument("open", open, aFunction, "itemsOf");
  let iterator: AsyncIterator<Item> | undefined;
  let isOpen = false;
  return {
    async next() {
      iterator ??= (await open())[Symbol.asyncIterator]();
      isOpen = false;
      const { done, value } = await iterator.next();
      if (done === true) return undefined;
      isOpen = true;
      return value;
    },
    async close() {
      if (isOpen) await iterator?.return?.();
      isOpen = false;
    },
  };
}

function ignore(): void {}
