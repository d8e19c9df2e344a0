import type { DatasetState } from "./checkpoint/dataset-state.js";
import type { Run } from "./run.js";

/** Result of `next()`. The end is `{ value: null, done: true }`, also on every later call. */
export type DatasetResult<T> = IteratorResult<T, null>;

/** A pass that has not begun. */
export interface PassStart {
  /** Opens the pass. Called on the first `next()`. */
  start(this: void): Run;
  stateAtStart(this: void): DatasetState;
}

/**
 * One pass over a dataset. Has no effect before the first `next()`. Calls of `next()` may overlap; results come in
 * call order. An error, the end, `return()` and `close()` free all resources; later calls return the end. With
 * `onElementError: "continue"`, an element error leaves the iterator open. The caller owns each returned element and must
 * dispose its tensors.
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

  /** Created by `Dataset.iterator`. */
  constructor(pass: PassStart) {
    this.#pass = pass;
  }

  /** The next element. */
  next(): Promise<DatasetResult<T>> {
    const result = this.#last.then(() => this.#next());
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** All remaining elements, in memory. The first error disposes the elements collected so far. */
  toArray(): Promise<T[]> {
    const result = this.#last.then(async () => (await this.#open()?.collect()) ?? []);
    this.#last = result.catch(() => undefined);
    return result as Promise<T[]>;
  }

  /** Ends the pass, like `break` in `for await`. A pending `next()` resolves to the end. */
  async return(): Promise<DatasetResult<T>> {
    await this.close();
    return { value: null, done: true };
  }

  /** Ends the pass and frees its resources. Safe to call at any time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run?.close();
  }

  /**
   * The position of this iterator as JSON: after the last element that `next()` resolved to, regardless of read-ahead.
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
