import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, gatherRows, isItemRows, itemsOf } from "../../blocks/block.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { disposeElements } from "../../columns/structure.js";
import { callUser, isPromise, type UserCall } from "./user-call.js";

/** Outcome for an element that is dropped. A symbol, because an element may itself be undefined. */
const DROPPED: unique symbol = Symbol("dropped");

/**
 * Keeps the elements for which the caller's predicate returns or resolves to a truthy value. The cardinality is unknown unless
 * the input is infinite.
 */
export function filterPlan(upstream: Plan, predicate: UserCall["f"]): Plan {
  return {
    node: nodeOn(upstream, "filter"),
    cardinality: () => (upstream.cardinality() === "infinite" ? "infinite" : "unknown"),
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: undefined,
    open: (pass) => new FilterStream(upstream, pass, predicate),
  };
}

class FilterStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #call: UserCall;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, f: UserCall["f"]) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#call = { operator: "filter", f, tf: upstream.tf };
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const block = await this.#upstream.read(maxRows);
      if (block === null) return null;
      const kept = await this.#filter(block);
      if (kept.numRows > 0) return kept;
    }
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Returns the kept rows of a block, and disposes all others. */
  async #filter(block: Block): Promise<Block> {
    const rows = itemsOf(block);
    const kept: unknown[] = [];
    const indices: number[] = [];
    let row = 0;
    try {
      for (; row < rows.length; row++) {
        const pause = this.#pass.pacer.pauseAtElement(this.#pass.signal);
        if (pause !== undefined) await pause;
        const verdict = this.#judge(rows[row]);
        const outcome = isPromise(verdict) ? await verdict : verdict;
        if (outcome === DROPPED) disposeElements([rows[row]]);
        else {
          kept.push(outcome);
          indices.push(row);
        }
      }
    } catch (error) {
      disposeElements([...kept, ...rows.slice(row)]);
      throw error;
    }
    const isByReference = !isItemRows(block) && !kept.some((element) => element instanceof Failure);
    if (!isByReference || kept.length === 0) return blockOfItems(kept);
    return gatherRows([block], new Uint32Array(indices.length), Uint32Array.from(indices));
  }

  /**
   * Returns the element if it is kept, {@link DROPPED} if not, or a `Failure`. Returns a promise of one of these if the
   * predicate returns a promise.
   */
  #judge(element: unknown): unknown {
    const elementIndex = this.#elementIndex++;
    if (element instanceof Failure) return element;
    try {
      const verdict = callUser(this.#call, element, elementIndex, this.#pass);
      if (!isPromise(verdict)) return verdict ? element : DROPPED;
      return verdict.then(
        (isKept) => (isKept ? element : DROPPED),
        (error: unknown) => {
          if (this.#pass.signal.aborted) throw error;
          return fail(element, error);
        },
      );
    } catch (error) {
      return fail(element, error);
    }
  }
}

/** Disposes an element for which the predicate failed, and returns the failure. */
function fail(element: unknown, error: unknown): Failure {
  disposeElements([element]);
  return new Failure(error);
}
