import { UNORDERED } from "../../checkpoint/pass-log.js";
import { dropRows, skipRows } from "../../checkpoint/skip-rows.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { consume } from "./map.js";
import { callForElement, type UserCall } from "./user-call.js";

/** The maximum number of pending calls, and whether results keep the element order. */
export interface ParallelSettings {
  readonly parallel: number;
  readonly isOrdered: boolean;
}

/** Like `mapPlan`, but with up to `parallel` concurrent calls. Reads the same number of elements ahead. */
export function parallelMapPlan(upstream: Plan, f: UserCall["f"], settings: ParallelSettings): Plan {
  const call: UserCall = { operator: "map", f, tf: upstream.tf };
  return {
    ...upstream,
    node: nodeOn(upstream, "map"),
    moved: undefined,
    open: (pass) => new ParallelMapStream(upstream, pass, call, settings),
  };
}

/** A pending call. `result` rejects only once the pass is aborted. */
interface Call {
  readonly result: Promise<unknown>;
  isSettled: boolean;
}

class ParallelMapStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #call: UserCall;
  readonly #settings: ParallelSettings;
  /** In element order. */
  readonly #calls: Call[] = [];
  #elementIndex = 0;
  #isInputEnded = false;

  constructor(upstream: Plan, pass: Pass, call: UserCall, settings: ParallelSettings) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#call = call;
    this.#settings = settings;
    if (!settings.isOrdered) pass.log.refuse("map", UNORDERED);
  }

  async read(): Promise<Block | null> {
    await this.#startCalls();
    const call = await this.#nextDone();
    if (call === undefined) return null;
    this.#calls.splice(this.#calls.indexOf(call), 1);
    return blockOfItems([await call.result]);
  }

  /** Calls no function unless calls are already pending. */
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
    const result = Promise.resolve(
      callForElement(this.#call, element, this.#elementIndex++, this.#pass),
    ).then((output) => (element instanceof Failure ? element : consume(element, output)));
    const call: Call = { result, isSettled: false };
    const settle = (): void => {
      call.isSettled = true;
    };
    result.then(settle, settle);
    return call;
  }

  /** The call whose result comes next. Without order, waits until one has settled. */
  async #nextDone(): Promise<Call | undefined> {
    if (this.#settings.isOrdered) return this.#calls[0];
    if (this.#calls.length > 0 && !this.#calls.some(({ isSettled }) => isSettled)) {
      await Promise.race(this.#calls.map(({ result }) => result));
    }
    return this.#calls.find(({ isSettled }) => isSettled);
  }
}
