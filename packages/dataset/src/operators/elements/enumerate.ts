import { skipRows } from "../../checkpoint/skip-rows.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { tuple } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/**
 * Replaces every element with `tuple(position, element)`. Positions are bigints, and count from `start`. A failed element is
 * counted, but stays a `Failure`.
 */
export function enumeratePlan(upstream: Plan, start: number): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "enumerate", [start]),
    moved: undefined,
    open: (pass) => new EnumerateStream(upstream, pass, start),
  };
}

class EnumerateStream implements BlockStream {
  readonly #upstream: BlockStream;
  #position: bigint;

  constructor(upstream: Plan, pass: Pass, start: number) {
    this.#upstream = upstream.open(pass);
    this.#position = BigInt(start);
  }

  async read(maxRows: number): Promise<Block | null> {
    const block = await this.#upstream.read(maxRows);
    if (block === null) return null;
    return blockOfItems(
      itemsOf(block).map((element) => {
        const position = this.#position++;
        return element instanceof Failure ? element : tuple(position, element);
      }),
    );
  }

  async skip(numRows: number): Promise<number> {
    const numSkipped = await skipRows(this.#upstream, numRows);
    this.#position += BigInt(numSkipped);
    return numSkipped;
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}
