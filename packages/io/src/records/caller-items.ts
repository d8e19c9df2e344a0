import { isTfxioError, onAbort, UserFunctionError } from "@tfxio/wire";

/** A synchronous or asynchronous iterator. */
export type AnyIterator<Item> = AsyncIterator<Item, unknown> | Iterator<Item, unknown>;

/** The source of the items, and settings that apply to all of them. */
export interface CallerItemsSettings<Item> {
  /** Called at the first `next()`. */
  readonly open: () => AnyIterator<Item> | Promise<AnyIterator<Item>>;
  /** Name of the caller's iterator in errors, such as `"records"`. */
  readonly operator: string;
  readonly signal: AbortSignal | undefined;
  /** Frees an item that was requested, but was not returned before the pass was closed. */
  readonly discard?: ((item: Item) => void) | undefined;
}

type Arrival<Item> =
  | { readonly result: IteratorResult<Item, unknown>; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: { readonly cause: unknown } };

/**
 * One pass over the caller's iterator. Requests one item at a time. The wait for an item can be interrupted without losing the
 * item.
 */
export class CallerItems<Item> {
  readonly #settings: CallerItemsSettings<Item>;
  readonly #unsubscribe: () => void;
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
    this.#unsubscribe =
      signal === undefined || signal.aborted ? () => {} : onAbort(signal, () => this.interrupt());
  }

  /**
   * Returns the next item or the end. Returns undefined if {@link interrupt} ends the wait; the next call then waits for the same
   * item. Await each call before the next one.
   * @throws {UserFunctionError} `user-function` when `open` or the iterator throws. A TfxioError and the signal's reason are
   * thrown unchanged.
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

  /** Ends the wait for an item. The item stays requested. */
  interrupt(): void {
    this.#stopWaiting?.();
  }

  /**
   * Calls `return()` on the iterator, unless it has ended. Waits for the result only if no item is pending, because a generator
   * handles `return()` only after the pending item. Never rejects, because a rejection would hide the error that ended the pass.
   */
  async close(): Promise<void> {
    this.#unsubscribe();
    this.#isClosed = true;
    this.#discard(this.#arrival);
    this.#arrival = undefined;
    if (this.#isEnded) return;
    const returned = this.#return();
    if (!this.#isAsked) await returned;
  }

  /** Requests the next item and stores what arrives. Never rejects. */
  async #ask(): Promise<void> {
    this.#isAsked = true;
    let arrival: Arrival<Item>;
    try {
      if (this.#iterator === undefined) {
        this.#iterator = await this.#settings.open();
        // The pass was closed while the iterator was being opened.
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
      // An error from return() must not hide the error that ended the pass.
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
