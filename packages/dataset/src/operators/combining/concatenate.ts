import { skipRows } from "../../checkpoint/skip-rows.js";
import type { Block } from "../../blocks/block.js";
import type { Cardinality } from "../../cardinality.js";
import type { BlockStream, MovedRows, Pass, Plan } from "../../plan.js";

/** Reads all elements of `first`, then all elements of `second`. Opens `second` only when `first` has ended. */
export function concatenatePlan(first: Plan, second: Plan): Plan {
  return {
    node: { name: "concatenate", inputs: [first, second] },
    cardinality: () => sum(first.cardinality(), second.cardinality()),
    tf: first.tf ?? second.tf,
    reshuffles: first.reshuffles || second.reshuffles,
    moved: commonMoved(first.moved, second.moved),
    open: (pass) => new ConcatenateStream([first, second], pass),
  };
}

class ConcatenateStream implements BlockStream {
  readonly #plans: readonly Plan[];
  readonly #pass: Pass;
  #current: BlockStream | undefined;
  #index = 0;

  constructor(plans: readonly Plan[], pass: Pass) {
    this.#plans = plans;
    this.#pass = pass;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (; this.#index < this.#plans.length; this.#index++) {
      this.#current ??= (this.#plans[this.#index] as Plan).open(this.#pass);
      const block = await this.#current.read(maxRows);
      if (block !== null) return block;
      await this.close();
    }
    return null;
  }

  async skip(numRows: number): Promise<number> {
    let numLeft = numRows;
    for (; this.#index < this.#plans.length && numLeft > 0; this.#index++) {
      this.#current ??= (this.#plans[this.#index] as Plan).open(this.#pass);
      numLeft -= await skipRows(this.#current, numLeft);
      if (numLeft === 0) break;
      await this.close();
    }
    return numRows - numLeft;
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.close();
  }
}

/** Returns the number of elements in both datasets together. */
function sum(first: Cardinality, second: Cardinality): Cardinality {
  if (first === "infinite" || second === "infinite") return "infinite";
  return first === "unknown" || second === "unknown" ? "unknown" : first + second;
}

/** Describes the rows of both inputs. Keeps the Arrow schema only if both inputs share one schema object. */
function commonMoved(first: MovedRows | undefined, second: MovedRows | undefined): MovedRows | undefined {
  if (first === undefined || second === undefined) return undefined;
  return first.arrowSchema === second.arrowSchema ? first : { arrowSchema: undefined };
}
