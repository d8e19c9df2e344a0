import { isTfxioError, onAbort, UserFunctionError } from "@tfxio/wire";

/** An iterator of either kind. */
export type AnyIterator<Item> = AsyncIterator<Item, unknown> | Iterator<Item, unknown>;

/** Where items come from and what concerns all of them. */
export interface CallerItemsSettings<Item> {
  /** Called with the first `next()`. */
  readonly open: () => AnyIterator<Item> | Promise<AnyIterator<Item>>;
  /** Names the caller's code in errors: `"records"`. */
  readonly operator: string;
  readonly signal: AbortSignal | undefined;
  /** Frees an item that nobody receives. */
  readonly discard?: ((item: Item) => void) | undefined;
}

type Arrival<Item> =
  | { readonly result: IteratorResult<Item, unknown>; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: { readonly cause: unknown } };

/**
 * One pass over an iterator of the caller. It asks for one item at a time, and waiting for that item can be interrupted
 * without losing it.
 */
export class CallerItems<Item> {
  readonly #settings: CallerItemsSettings<Item>;
  readonly #letGo: () => void;
  #iterator: AnyIterator<Item> | undefined;
  #arrival: Arrival<Item> | undefined;
  #isAsked = false;
  #isEnded = false;
  #isClosed = false;
  #numItems = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(settings: CallerItemsSettings<Item>) {
    const { signal } = settings;
    this.#settings = settings;
    this.#letGo = signal === undefined || signal.aborted ? () => {} : onAbort(signal, () => this.interrupt());
  }

  /**
   * The next item or the end; undefined when {@link interrupt} was called first. The next call then waits for the same
   * item. Not to be called again before it has settled.
   * @throws errors of this project and the reason of the signal as they are; others as {@link UserFunctionError}.
   */
  async next(): Promise<IteratorResult<Item, unknown> | undefined> {
    const { signal } = this.#settings;
    signal?.throwIfAborted();
    if (this.#arrival === undefined) {
      const arrived = new Promise<void>((resolve) => {
        this.#stopWaiting = resolve;
      });
      if (!this.#isAsked) void this.#ask();
      await arrived;
      signal?.throwIfAborted();
    }
    const arrival = this.#arrival;
    this.#arrival = undefined;
    if (arrival?.error !== undefined) throw this.#failure(arrival.error.cause);
    if (arrival?.result.done !== true) this.#numItems++;
    return arrival?.result;
  }

  /** Ends the wait for an item, which stays asked for. */
  interrupt(): void {
    this.#stopWaiting?.();
  }

  /**
   * Calls `return()` on an iterator that has not ended, and waits for it unless an item is awaited: a generator would
   * answer only after that item. Never rejects, since whatever ended the pass comes first.
   */
  async close(): Promise<void> {
    this.#letGo();
    this.#isClosed = true;
    this.#discard(this.#arrival);
    this.#arrival = undefined;
    if (this.#isEnded) return;
    const returned = this.#return();
    if (!this.#isAsked) await returned;
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    this.#isAsked = true;
    let arrival: Arrival<Item>;
    try {
      if (this.#iterator === undefined) {
        this.#iterator = await this.#settings.open();
        // Nobody could return it before.
        if (this.#isClosed) return await this.#return();
      }
      const result = await this.#iterator.next();
      this.#isEnded = result.done === true;
      arrival = { result };
    } catch (cause) {
      this.#isEnded = true;
      arrival = { error: { cause } };
    }
    this.#isAsked = false;
    if (this.#isClosed) this.#discard(arrival);
    else this.#arrival = arrival;
    this.#stopWaiting?.();
  }

  async #return(): Promise<void> {
    try {
      await this.#iterator?.return?.();
    } catch {
      // Closing has no result that could be wrong.
    }
  }

  #discard(arrival: Arrival<Item> | undefined): void {
    if (arrival?.result !== undefined && arrival.result.done !== true) {
      this.#settings.discard?.(arrival.result.value);
    }
  }

  #failure(cause: unknown): unknown {
    if (isTfxioError(cause)) return cause;
    const { operator } = this.#settings;
    const elementIndex = this.#numItems;
    return new UserFunctionError(`${operator} failed at item ${elementIndex}: ${String(cause)}`, {
      operator,
      elementIndex,
      cause,
    });
  }
}
