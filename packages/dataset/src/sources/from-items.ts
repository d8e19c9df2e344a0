import { rowBlock } from "../block.js";
import type { Block } from "../block.js";
import type { BlockStream, Plan } from "../plan.js";
import { cloneTensors } from "../structure.js";

/** Elements in memory, one per item. */
export function itemsPlan(items: readonly unknown[]): Plan {
  return { cardinality: items.length, tf: undefined, open: () => new ItemsStream(items) };
}

class ItemsStream implements BlockStream {
  readonly #items: readonly unknown[];
  #position = 0;

  constructor(items: readonly unknown[]) {
    this.#items = items;
  }

  async read(maxRows: number): Promise<Block | null> {
    const items = this.#items.slice(this.#position, this.#position + maxRows);
    this.#position += items.length;
    return items.length === 0 ? null : rowBlock(items.map(cloneTensors));
  }

  async close(): Promise<void> {
    this.#position = this.#items.length;
  }
}
