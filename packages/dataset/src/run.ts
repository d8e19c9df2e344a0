import { onAbort } from "@tfxio/wire";
import { type Block, disposeBlock, itemsOf } from "./blocks/block.js";
import { Failure } from "./failure.js";
import { type DatasetState, endsTooEarly, restorePlan, stateOf } from "./checkpoint/dataset-state.js";
import { PassLog } from "./checkpoint/pass-log.js";
import { skipRows } from "./checkpoint/skip-rows.js";
import { Pacer } from "./pacer.js";
import type { BlockStream, Pass, Plan } from "./plan.js";
import { disposeElements } from "./columns/structure.js";

/** Number of elements that {@link Run.collect} requests at once. */
const COLLECT_ROWS = 256;

/** Effect of an element's error on a pass: `"end"` closes it, `"continue"` leaves it open for the following elements. */
export type ElementErrorPolicy = "end" | "continue";

/** Settings of one pass. */
export interface RunSettings {
  readonly signal: AbortSignal | undefined;
  readonly onElementError: ElementErrorPolicy;
  /** State to resume from, already checked against the plan. */
  readonly from?: DatasetState | undefined;
  /** Called once, when the run begins to close. */
  readonly onClose: (run: Run) => void;
}

/** One pass over a plan, from its first read until it is closed. Reads must not overlap. */
export class Run {
  readonly #abort: AbortController = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #pass: Pass = {
    signal: this.#abort.signal,
    pacer: new Pacer(),
    log: new PassLog(),
    keepsRecordBatches: false,
  };
  readonly #plan: Plan;
  readonly #stream: BlockStream;
  readonly #onClose: (run: Run) => void;
  readonly #onElementError: ElementErrorPolicy;
  /** Number of elements to skip before the first read. */
  #numToSkip: number;
  #numElements: number;
  #reading: Promise<Block | null> = Promise.resolve(null);
  #closing: Promise<void> | undefined;
  /** Removes the listener from the caller's signal. */
  #unsubscribe: () => void = () => {};
  #cancelled: { readonly reason: unknown } | undefined;

  constructor(plan: Plan, { signal, onElementError, from, onClose }: RunSettings) {
    if (from !== undefined) restorePlan(plan, from);
    this.#plan = plan;
    this.#numToSkip = from?.numElements ?? 0;
    this.#numElements = this.#numToSkip;
    this.#signal = signal;
    this.#onElementError = onElementError;
    this.#onClose = onClose;
    this.#stream = plan.open(this.#pass);
    if (signal !== undefined && !signal.aborted) this.#unsubscribe = onAbort(signal, this.#cancel);
  }

  /**
   * Resolves to the next elements, including failures: at least one and at most `maxRows`. The list is empty at the end, after an
   * error and after close(). The pass frees all resources before it reports the end or an error.
   * @throws the error that ended the pass, or the reason of an aborted `signal`. Later calls resolve to an empty list.
   */
  async read(maxRows: number): Promise<readonly unknown[]> {
    if (this.#signal?.aborted === true && this.#closing === undefined) this.#cancel();
    if (this.#closing === undefined) {
      try {
        const pause = this.#pass.pacer.pause(this.#pass.signal);
        if (pause !== undefined) await pause;
        const block = this.#closing === undefined ? await this.#readBlock(maxRows) : null;
        if (this.#closing === undefined && block !== null) {
          this.#numElements += block.numRows;
          return itemsOf(block);
        }
        if (block !== null) disposeBlock(block);
        await this.close();
      } catch (error) {
        // Once closing has begun, an error only means that the stream was interrupted.
        if (this.#closing === undefined) {
          await this.close().catch(() => undefined);
          throw error;
        }
      }
    }
    if (this.#cancelled !== undefined) {
      const { reason } = this.#cancelled;
      this.#cancelled = undefined;
      await this.#closing?.catch(() => undefined);
      throw reason;
    }
    return [];
  }

  /**
   * Resolves to the next element, or to null at the end.
   * @throws the errors of {@link read}, and the error of a failed element. Unless `onElementError` is `"continue"`, the pass
   *   frees everything before it throws, because `for await` and fitDataset do not read on after an error.
   */
  async next(): Promise<{ readonly element: unknown } | null> {
    const rows = await this.read(1);
    if (rows.length === 0) return null;
    const element = rows[0];
    if (!(element instanceof Failure)) return { element };
    if (this.#onElementError === "end") {
      // If the state is taken now, a pass that resumes from it begins with this element.
      this.#numElements--;
      await this.close().catch(() => undefined);
    }
    throw element.error;
  }

  /** Resolves to all remaining elements. The first error disposes the collected elements and ends the run. */
  async collect(): Promise<unknown[]> {
    const elements: unknown[] = [];
    const numBefore = this.#numElements;
    try {
      for (;;) {
        const rows = await this.read(COLLECT_ROWS);
        if (rows.length === 0) return elements;
        elements.push(...rows);
        const failure = rows.find((row) => row instanceof Failure);
        if (failure !== undefined) throw failure.error;
      }
    } catch (error) {
      disposeElements(elements);
      // None of the collected elements was returned.
      this.#numElements = numBefore;
      await this.close();
      throw error;
    }
  }

  /**
   * Returns the position of the pass, which is just after the last element that it returned.
   * @throws {UnsupportedError} `unsupported` (`not-repeatable`) if the order of elements is not fixed.
   */
  state(): DatasetState {
    return stateOf(this.#plan, this.#pass.log, this.#numElements);
  }

  /** Cancels pending work and frees everything. Safe to call at any time and repeatedly. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Closes the pass after `owner` is garbage-collected: a last resort for abandoned iterators. */
  closeWith(owner: object): void {
    abandoned.register(owner, this, this);
  }

  async #close(): Promise<void> {
    // A closed run may hold errors whose stacks reference the iterator. If the run stayed registered, the iterator would leak.
    abandoned.unregister(this);
    this.#unsubscribe();
    this.#onClose(this);
    this.#abort.abort();
    await this.#reading.catch(() => undefined);
    await this.#stream.close();
  }

  #readBlock(maxRows: number): Promise<Block | null> {
    const reading = this.#numToSkip === 0 ? this.#stream.read(maxRows) : this.#readAfterSkipping(maxRows);
    this.#reading = reading;
    return reading;
  }

  async #readAfterSkipping(maxRows: number): Promise<Block | null> {
    const numSkipped = await skipRows(this.#stream, this.#numToSkip);
    if (this.#closing !== undefined) return null;
    if (numSkipped < this.#numToSkip) throw endsTooEarly(numSkipped, this.#numToSkip);
    this.#numToSkip = 0;
    return this.#stream.read(maxRows);
  }

  readonly #cancel = (): void => {
    this.#cancelled = { reason: this.#signal?.reason };
    this.close().catch(() => undefined);
  };
}

/** Closes runs whose iterators were abandoned. For example, fitDataset abandons its iterator after stopTraining. */
const abandoned: FinalizationRegistry<Run> = new FinalizationRegistry((run) => {
  run.close().catch(() => undefined);
});
