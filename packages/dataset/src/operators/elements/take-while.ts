import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, disposeBlock, itemsOf, sliceBlock } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { callForElement, isPromise, type UserCall } from "./user-call.js";

/**
 * Keeps elements as long as the caller's predicate returns or resolves to true. A failed element is kept as a `Failure`, and does
 * not end the dataset.
 */
export function takeWhilePlan(upstream: Plan, f: UserCall["f"]): Plan {
  const call: UserCall = { operator: "takeWhile", f, tf: upstream.tf };
  return {
    ...upstream,
    node: nodeOn(upstream, "takeWhile"),
    cardinality: () => "unknown",
    moved: undefined,
    open: (pass) => new TakeWhileStream(upstream, pass, call),
  };
}

class TakeWhileStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #call: UserCall;
  #elementIndex = 0;
  #isEnded = false;

  constructor(upstream: Plan, pass: Pass, call: UserCall) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#call = call;
  }

  async read(maxRows: number): Promise<Block | null> {
    const block = this.#isEnded ? null : await this.#upstream.read(maxRows);
    if (block === null) return null;
    const rows = itemsOf(block);
    const kept: unknown[] = [];
    try {
      for (const element of rows) {
        const pause = this.#pass.pacer.pauseAtElement(this.#pass.signal);
        if (pause !== undefined) await pause;
        const called = callForElement(this.#call, element, this.#elementIndex++, this.#pass);
        const verdict = isPromise(called) ? await called : called;
        if (verdict instanceof Failure) {
          if (verdict !== element) disposeElements([element]);
          kept.push(verdict);
        } else if (verdict === true) kept.push(element);
        else {
          this.#isEnded = true;
          break;
        }
      }
    } catch (error) {
      disposeElements(rows);
      throw error;
    }
    if (kept.length === rows.length && !kept.some((element) => element instanceof Failure)) return block;
    disposeBlock(sliceBlock(blockOfItems(rows), kept.length, rows.length));
    return kept.length === 0 ? null : blockOfItems(kept);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}
