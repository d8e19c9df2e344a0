import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { elementKey } from "../../columns/element-key.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/**
 * Drops elements that are equal to an earlier element of the pass. Two elements are equal if {@link elementKey} returns the same
 * key for both.
 */
export function uniquePlan(upstream: Plan): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "unique"),
    cardinality: () => "unknown",
    moved: undefined,
    open: (pass) => new UniqueStream(upstream, pass),
  };
}

class UniqueStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  /** Keys of the distinct elements so far. */
  readonly #seen: Set<string> = new Set();
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const block = await this.#upstream.read(maxRows);
      if (block === null) return null;
      const kept = itemsOf(block).flatMap((element) => this.#judge(element));
      if (kept.length > 0) return blockOfItems(kept);
    }
  }

  async close(): Promise<void> {
    this.#seen.clear();
    await this.#upstream.close();
  }

  /**
   * Returns a list that holds the element or its failure, or an empty list for a repeated element. A repeated element needs no
   * disposal, because {@link elementKey} rejects tensors.
   */
  #judge(element: unknown): readonly unknown[] {
    const elementIndex = this.#elementIndex++;
    if (element instanceof Failure) return [element];
    let key: string;
    try {
      key = elementKey(element, elementIndex);
    } catch (error) {
      disposeElements([element]);
      return [new Failure(error)];
    }
    if (this.#seen.has(key)) return [];
    this.#seen.add(key);
    return [element];
  }
}
