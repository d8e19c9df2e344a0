import { isTfxioError, untilAborted, UserFunctionError } from "@tfxio/wire";

/** The items of one pass, as a factory returns them. */
export type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** Reads the items of one pass. Calls the caller's factory at the first `next()`. */
export class FactoryItems<Item> {
  readonly #create: () => Items<Item>;
  readonly #operator: string;
  readonly #signal: AbortSignal;
  readonly #provider: string;
  #iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  #isWaiting = false;

  /**
   * @param operator Name of the source, for error messages.
   * @param provider Describes the caller's code that provides the items, for error messages.
   */
  constructor(
    create: () => Items<Item>,
    operator: string,
    signal: AbortSignal,
    provider: string = "the factory or its iterator",
  ) {
    this.#create = create;
    this.#operator = operator;
    this.#signal = signal;
    this.#provider = provider;
  }

  /**
   * Resolves to a list that holds the next item, or to null at the end. The list is needed because an item may itself be null.
   * Stops waiting when the pass is aborted.
   * @throws {UserFunctionError} `user-function` if the factory or its iterator throws. A TfxioError and the reason of the signal
   *   are rethrown unchanged.
   */
  async next(): Promise<readonly [Item] | null> {
    try {
      this.#iterator ??= iteratorOf(this.#create());
      this.#isWaiting = true;
      const result = await untilAborted(Promise.resolve(this.#iterator.next()), this.#signal);
      this.#isWaiting = false;
      return result.done === true ? null : [result.value];
    } catch (error) {
      this.#isWaiting &&= this.#signal.aborted;
      if (this.#signal.aborted || isTfxioError(error)) throw error;
      throw new UserFunctionError(`${this.#operator}: ${this.#provider} failed: ${String(error)}`, {
        operator: this.#operator,
        cause: error,
      });
    }
  }

  /** Closes the iterator, if the factory was called. */
  async close(): Promise<void> {
    const returned = this.#iterator?.return?.();
    // If a generator is still waiting for an aborted operation, its return() would wait for that operation too.
    if (this.#isWaiting) Promise.resolve(returned).catch(() => undefined);
    else await returned;
  }
}

function iteratorOf<Item>(items: Items<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
