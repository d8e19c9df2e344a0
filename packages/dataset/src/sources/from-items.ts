import { type Block, blockOfItems } from "../blocks/block.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import type { Permutation } from "../random-access/permutation.js";
import { cloneTensors } from "../columns/structure.js";

/** Returns a plan with one element for each item in memory. Borrows the array, and clones tensors for each pass. */
export function itemsPlan(items: readonly unknown[]): Plan {
  return {
    node: {
      name: "fromItems",
      settings: [items.length],
      inputs: [],
      rowAccess: {
        numRows: items.length,
        open: (order, first, pass) => new ItemsStream(items, pass, { order, first }),
      },
    },
    cardinality: () => items.length,
    tf: undefined,
    reshuffles: false,
    moved: undefined,
    open: (pass) => new ItemsStream(items, pass),
  };
}

class ItemsStream implements BlockStream {
  readonly #items: readonly unknown[];
  readonly #pass: Pass;
  readonly #order: Permutation | undefined;
  #position: number;

  constructor(
    items: readonly unknown[],
    pass: Pass,
    { order, first = 0 }: { readonly order?: Permutation; readonly first?: number } = {},
  ) {
    this.#items = items;
    this.#pass = pass;
    this.#order = order;
    this.#position = first;
  }

  async read(maxRows: number): Promise<Block | null> {
    const pause = this.#pass.pacer.pause(this.#pass.signal);
    if (pause !== undefined) await pause;
    const items = this.#next(maxRows);
    this.#position += items.length;
    return items.length === 0 ? null : blockOfItems(items.map(cloneTensors));
  }

  async skip(numRows: number): Promise<number> {
    const numSkipped = Math.min(numRows, Math.max(0, this.#items.length - this.#position));
    this.#position += numSkipped;
    return numSkipped;
  }

  async close(): Promise<void> {
    this.#position = this.#items.length;
  }

  #next(maxRows: number): readonly unknown[] {
    const end = Math.min(this.#items.length, this.#position + maxRows);
    const order = this.#order;
    if (order === undefined) return this.#items.slice(this.#position, end);
    const items: unknown[] = [];
    for (let index = this.#position; index < end; index++) items.push(this.#items[order(index)]);
    return items;
  }
}
