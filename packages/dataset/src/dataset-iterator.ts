import type { DatasetState } from "./checkpoint/dataset-state.js";
import type { Run } from "./run.js";

/** Result of `next()`. After the last element, every call resolves to `{ value: null, done: true }`. */
export type DatasetResult<T> = IteratorResult<T, null>;

/** A pass that has not started. */
export interface PassStart {
  /** Starts the pass. The iterator calls it at most once, at the first `next()` or `toArray()`. */
  start(this: void): Run;
  /** Returns the state before the first element of the pass. */
  stateAtStart(this: void): DatasetState;
}

/**
 * One pass over a dataset. Nothing is read before the first `next()` or `toArray()`. Callers may call `next()` again before the
 * previous promise settles: results come in the order of the calls. All resources are freed at the end of the pass, after an
 * error, and by `return()` and `close()`. Later calls resolve as they do after the last element. With
 * `onElementError: "continue"`, an element that fails in `next()` leaves the iterator open. The caller owns each returned
 * element and must dispose its tensors.
 */
export class DatasetIterator<T> implements AsyncIterator<T, null>, AsyncIterable<T> {
  /** Closes the iterator at the end of an `await using` block. Exists only in runtimes that have `Symbol.asyncDispose`. */
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

  /** For `Dataset`, which creates iterators. */
  constructor(pass: PassStart) {
    this.#pass = pass;
  }

  /** Resolves to the next element, or to the end. */
  next(): Promise<DatasetResult<T>> {
    const result = this.#last.then(() => this.#next());
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Resolves to all remaining elements. An error disposes the tensors of the elements collected so far, and ends the pass, even
   * with `onElementError: "continue"`.
   */
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
   * Returns the position of this iterator as JSON. The position is right after the last element that `next()` resolved to, even
   * if more elements have been read ahead. `iterator({ state })` of an equal dataset, for example in another process, reads
   * exactly the remaining elements. With `onElementError: "end"`, these include an element whose error ended the pass.
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
