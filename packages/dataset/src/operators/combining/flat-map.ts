import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { callForElement, isPromise, orDispose, type UserCall } from "../elements/user-call.js";
import { planOfResult } from "./as-plan.js";

/** Replaces every element with the elements of the dataset that the caller's function returns. Opens one dataset at a time. */
export function flatMapPlan(upstream: Plan, f: UserCall["f"]): Plan {
  const call: UserCall = { operator: "flatMap", f, tf: upstream.tf };
  return {
    ...upstream,
    node: nodeOn(upstream, "flatMap"),
    cardinality: () => "unknown",
    moved: undefined,
    open: (pass) => new FlatMapStream(upstream, pass, call),
  };
}

class FlatMapStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #opener: InnerOpener;
  #inner: Inner | undefined;

  constructor(upstream: Plan, pass: Pass, call: UserCall) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#opener = new InnerOpener(call, pass);
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      if (this.#inner === undefined) {
        const block = await this.#upstream.read(1);
        if (block === null) return null;
        const opened = await this.#opener.open(itemsOf(block)[0]);
        if (opened instanceof Failure) return blockOfItems([opened]);
        this.#inner = opened;
      }
      const rows = await this.#inner.stream.read(maxRows);
      if (rows !== null) return rows;
      const ended = this.#inner;
      this.#inner = undefined;
      await ended.close();
    }
  }

  async close(): Promise<void> {
    await this.#inner?.close();
    await this.#upstream.close();
  }
}

/** The open dataset that the caller's function returned for one element. */
export interface Inner {
  readonly stream: BlockStream;
  /** Closes the stream, then disposes the tensors of the element and of the function's result. */
  close(): Promise<void>;
}

/** Calls the caller's function with elements, and opens the datasets that it returns. */
export class InnerOpener {
  readonly #call: UserCall;
  readonly #pass: Pass;
  #elementIndex = 0;

  constructor(call: UserCall, pass: Pass) {
    this.#call = call;
    this.#pass = pass;
  }

  /**
   * Opens the dataset of the next element. The returned `Inner` owns the tensors of `element` and of the function's result.
   * Returns a `Failure` if the element failed, if the function throws, or if its result cannot be read as a dataset. Rejects only
   * if the pass is aborted.
   */
  async open(element: unknown): Promise<Inner | Failure> {
    const called = callForElement(this.#call, element, this.#elementIndex++, this.#pass);
    const result = isPromise(called) ? await orDispose(called, element) : called;
    if (result instanceof Failure) {
      if (result !== element) disposeElements([element]);
      return result;
    }
    // The dataset may use these tensors until it is closed.
    const tensors = new Set([...tensorsOf(element), ...tensorsOf(result)]);
    const dispose = (): void => {
      for (const tensor of tensors) tensor.dispose();
    };
    try {
      const stream = planOfResult(result, this.#call.operator).open(this.#pass);
      return {
        stream,
        async close() {
          await stream.close();
          dispose();
        },
      };
    } catch (error) {
      dispose();
      return new Failure(error);
    }
  }
}
