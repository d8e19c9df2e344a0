import { UNORDERED } from "../../checkpoint/pass-log.js";
import { dropRows, skipRows } from "../../checkpoint/skip-rows.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { consume } from "./map.js";
import { callForElement, orDispose, type UserCall } from "./user-call.js";

/** Settings of {@link parallelMapPlan}. */
export interface ParallelSettings {
  /** Maximum number of concurrent calls, and of elements read ahead. */
  readonly parallel: number;
  /** True to return results in the order of the elements. False to return each result as soon as it is ready. */
  readonly isOrdered: boolean;
}

/**
 * Replaces every element like `mapPlan`, but with up to `parallel` concurrent calls. Without `isOrdered`, the pass has no
 * checkpoints, because its order cannot be repeated.
 */
export function parallelMapPlan(upstream: Plan, f: UserCall["f"], settings: ParallelSettings): Plan {
  const call: UserCall = { operator: "map", f, tf: upstream.tf };
  return {
    ...upstream,
    node: nodeOn(upstream, "map"),
    moved: undefined,
    open: (pass) => new ParallelMapStream(upstream, pass, call, settings),
  };
}

/** A call whose result has not been returned yet. `result` rejects only if the pass is aborted. */
interface Call {
  readonly result: Promise<unknown>;
  isSettled: boolean;
}

class ParallelMapStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #call: UserCall;
  readonly #settings: ParallelSettings;
  /** In the order of their elements. */
  readonly #calls: Call[] = [];
  #elementIndex = 0;
  #isInputEnded = false;

  constructor(upstream: Plan, pass: Pass, call: UserCall, settings: ParallelSettings) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#call = call;
    this.#settings = settings;
    if (!settings.isOrdered) pass.log.reject("map", UNORDERED);
  }

  async read(): Promise<Block | null> {
    await this.#startCalls();
    const call = await this.#nextDone();
    if (call === undefined) return null;
    this.#calls.splice(this.#calls.indexOf(call), 1);
    return blockOfItems([await call.result]);
  }

  /**
   * Skips elements without calling the function, unless results of earlier calls are outstanding. In that case, calls the
   * function for the skipped elements too, and drops the results.
   */
  async skip(numRows: number): Promise<number> {
    if (this.#calls.length > 0) return dropRows(this, numRows);
    const numSkipped = await skipRows(this.#upstream, numRows);
    this.#elementIndex += numSkipped;
    return numSkipped;
  }

  async close(): Promise<void> {
    const results = await Promise.allSettled(this.#calls.splice(0).map(({ result }) => result));
    for (const settled of results) if (settled.status === "fulfilled") disposeElements([settled.value]);
    await this.#upstream.close();
  }

  /** Starts calls until `parallel` results are outstanding or the input has ended. */
  async #startCalls(): Promise<void> {
    while (!this.#isInputEnded && this.#calls.length < this.#settings.parallel) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const block = await this.#upstream.read(this.#settings.parallel - this.#calls.length);
      if (block === null) this.#isInputEnded = true;
      else for (const element of itemsOf(block)) this.#calls.push(this.#startCall(element));
    }
  }

  #startCall(element: unknown): Call {
    const called = Promise.resolve(callForElement(this.#call, element, this.#elementIndex++, this.#pass));
    const result = orDispose(called, element).then((output) =>
      element instanceof Failure ? element : consume(element, output),
    );
    const call: Call = { result, isSettled: false };
    const settle = (): void => {
      call.isSettled = true;
    };
    result.then(settle, settle);
    return call;
  }

  /**
   * Returns the call whose result comes next, or undefined if there is none. If unordered, first waits until one
   * has settled.
   */
  async #nextDone(): Promise<Call | undefined> {
    if (this.#settings.isOrdered) return this.#calls[0];
    if (this.#calls.length > 0 && !this.#calls.some(({ isSettled }) => isSettled)) {
      await Promise.race(this.#calls.map(({ result }) => result));
    }
    return this.#calls.find(({ isSettled }) => isSettled);
  }
}
