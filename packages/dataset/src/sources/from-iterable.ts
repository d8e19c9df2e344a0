import { type Block, blockOfItems } from "../blocks/block.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { FactoryItems, type Items } from "./factory-items.js";

/**
 * Returns a plan of the elements of an iterable that a caller's function has already returned. Each pass calls `create`,
 * which returns that iterable.
 * @param operator Name of the operator that called the function, for error messages.
 */
export function iterablePlan(create: () => Items<unknown>, operator: string): Plan {
  return {
    node: { name: operator, inputs: [] },
    cardinality: () => "unknown",
    tf: undefined,
    reshuffles: false,
    moved: undefined,
    open: (pass) => new IterableStream(create, operator, pass),
  };
}

class IterableStream implements BlockStream {
  readonly #items: FactoryItems<unknown>;
  readonly #pass: Pass;

  constructor(create: () => Items<unknown>, operator: string, pass: Pass) {
    this.#items = new FactoryItems(create, operator, pass.signal, "the iterable that the function returned");
    this.#pass = pass;
  }

  async read(): Promise<Block | null> {
    const pause = this.#pass.pacer.pause(this.#pass.signal);
    if (pause !== undefined) await pause;
    const items = await this.#items.next();
    return items === null ? null : blockOfItems(items);
  }

  async close(): Promise<void> {
    await this.#items.close();
  }
}
