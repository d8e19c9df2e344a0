import { type Block, blockOfItems } from "../blocks/block.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { cloneTensors } from "../columns/structure.js";

/** Elements in memory, one per item. */
export function itemsPlan(items: readonly unknown[]): Plan {
  return {
    node: { name: "fromItems", settings: [items.length], inputs: [] },
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
  #position = 0;

  constructor(items: readonly unknown[], pass: Pass) {
    this.#items = items;
    this.#pass = pass;
  }

  async read(maxRows: number): Promise<Block | null> {
    const pause = this.#pass.pacer.pause(this.#pass.signal);
    if (pause !== undefined) await pause;
    const items = this.#items.slice(this.#position, this.#position + maxRows);
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
}
