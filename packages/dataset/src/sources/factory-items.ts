import { isTfxioError, untilAborted, UserFunctionError } from "@tfxio/wire";

/** Items of one pass, as a factory returns them. */
export type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** Items of one pass from a factory of the caller's, which is called at the first `next()`. */
export class FactoryItems<Item> {
  readonly #create: () => Items<Item>;
  readonly #operator: string;
  readonly #signal: AbortSignal;
  #iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  #isWaiting = false;

  /** @param operator names the source, for errors. */
  constructor(create: () => Items<Item>, operator: string, signal: AbortSignal) {
    this.#create = create;
    this.#operator = operator;
    this.#signal = signal;
  }

  /**
   * The next item; null at the end. Waits no longer than until the pass is aborted.
   * @throws errors of this project and the reason of the signal as they are; others as {@link UserFunctionError}.
   */
  async next(): Promise<Item | null> {
    try {
      this.#iterator ??= iteratorOf(this.#create());
      this.#isWaiting = true;
      const result = await untilAborted(Promise.resolve(this.#iterator.next()), this.#signal);
      this.#isWaiting = false;
      return result.done === true ? null : result.value;
    } catch (error) {
      this.#isWaiting &&= this.#signal.aborted;
      if (this.#signal.aborted || isTfxioError(error)) throw error;
      throw new UserFunctionError(`${this.#operator}: the factory's items failed: ${String(error)}`, {
        operator: this.#operator,
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    const returned = this.#iterator?.return?.();
    // A generator that waits for something it was told to give up would keep its return() waiting too.
    if (this.#isWaiting) Promise.resolve(returned).catch(() => undefined);
    else await returned;
  }
}

function iteratorOf<Item>(items: Items<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
