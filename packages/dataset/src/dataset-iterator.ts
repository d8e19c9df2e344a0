import type { DatasetState } from "./checkpoint/dataset-state.js";
import type { Run } from "./run.js";

/** Result of `next()`. The end is `{ value: null, done: true }`, also on every further call. */
export type DatasetResult<T> = IteratorResult<T, null>;

/** A pass that has not begun. */
export interface PassStart {
  /** Opens the pass; called at the first `next()`. */
  start(this: void): Run;
  stateAtStart(this: void): DatasetState;
}

/**
 * One pass over a dataset. Has no effect before the first `next()`. Calls of `next()` may overlap; results come in
 * call order. An error, the end, `return()` and `close()` free everything it holds, and then it gives the end; with
 * `onElementError: "continue"` an error of one element leaves it open. An element that was handed out belongs to the
 * caller, its tensors included.
 */
export class DatasetIterator<T> implements AsyncIterator<T, null>, AsyncIterable<T> {
  /** Closes the iterator at the end of an `await using` block, where the runtime knows the symbol. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  static {
    if (Symbol.asyncDispose !== undefined) {
      Object.defineProperty(this.prototype, Symbol.asyncDispose, {
        value: function dispose(this: DatasetIterator<unknown>): Promise<void> {
          return this.close();
        },
      });
    }
  }

  readonly #pass: PassStart;
  #run: Run | undefined;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  /** Made by `Dataset.iterator`. */
  constructor(pass: PassStart) {
    this.#pass = pass;
  }

  /** The next element. */
  next(): Promise<DatasetResult<T>> {
    const result = this.#last.then(() => this.#next());
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** All elements that are left, in memory. The first error disposes what was collected. */
  toArray(): Promise<T[]> {
    const result = this.#last.then(async () => (await this.#open()?.collect()) ?? []);
    this.#last = result.catch(() => undefined);
    return result as Promise<T[]>;
  }

  /** Ends the pass, as `break` in `for await` does. A `next()` under way resolves to the end. */
  async return(): Promise<DatasetResult<T>> {
    await this.close();
    return { value: null, done: true };
  }

  /** Ends the pass and frees what it holds. Safe to call at any time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run?.close();
  }

  /**
   * The position of this iterator as JSON: after the last element that `next()` resolved to, however much is read ahead.
   * `dataset.iterator({ state })` of an equal dataset, for example in another process, returns exactly the remaining elements.
   * With `onElementError: "end"`, these include the element that failed.
   * @throws {UnsupportedError} `unsupported` (`not-repeatable`), naming the operator, if the order of elements is not fixed.
   */
  state(): DatasetState {
    return this.#run?.state() ?? this.#pass.stateAtStart();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #next(): Promise<DatasetResult<T>> {
    const next = await this.#open()?.next();
    return next == null ? { value: null, done: true } : { value: next.element as T, done: false };
  }

  #open(): Run | undefined {
    if (this.#isClosed) return undefined;
    if (this.#run === undefined) {
      this.#run = this.#pass.start();
      this.#run.closeWith(this);
    }
    return this.#run;
  }
}
