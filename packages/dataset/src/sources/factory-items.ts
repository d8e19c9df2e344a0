import { isTfxioError, untilAborted, UserFunctionError } from "@tfxio/wire";

/** The items of one pass, as returned by a factory. */
export type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** The items of one pass. Calls the caller's factory on the first `next()`. */
export class FactoryItems<Item> {
  readonly #create: () => Items<Item>;
  readonly #operator: string;
  readonly #signal: AbortSignal;
  #iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  #isWaiting = false;

  /** @param operator the source, for error messages. */
  constructor(create: () => Items<Item>, operator: string, signal: AbortSignal) {
    this.#create = create;
    this.#operator = operator;
    this.#signal = signal;
  }

  /**
   * The next item; null at the end. Stops waiting when the pass is aborted.
   * @throws {UserFunctionError} `user-function` for errors of the factory. A TfxioError and the reason of the signal are
   *   rethrown unchanged.
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
    // A generator that still waits for an aborted operation would block its return() too.
    if (this.#isWaiting) Promise.resolve(returned).catch(() => undefined);
    else await returned;
  }
}

function iteratorOf<Item>(items: Items<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
