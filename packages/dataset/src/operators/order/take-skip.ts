import { type Block, disposeBlock } from "../../blocks/block.js";
import { mapCount } from "../../cardinality.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** The first `count` elements, or all for -1. */
export function takePlan(upstream: Plan, count: number): Plan {
  if (count < 0) return upstream;
  return {
    cardinality() {
      const all = upstream.cardinality();
      return all === "infinite" ? count : mapCount(all, (n) => Math.min(n, count));
    },
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: upstream.moved,
    open: (pass) => new TakeStream(upstream, pass, count),
  };
}

/** All but the first `count` elements, or none for -1. */
export function skipPlan(upstream: Plan, count: number): Plan {
  if (count < 0) return takePlan(upstream, 0);
  return {
    cardinality: () => mapCount(upstream.cardinality(), (n) => Math.max(n - count, 0)),
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: upstream.moved,
    open: (pass) => new SkipStream(upstream, pass, count),
  };
}

class TakeStream implements BlockStream {
  readonly #upstream: BlockStream;
  #numLeft: number;

  constructor(upstream: Plan, pass: Pass, count: number) {
    this.#upstream = upstream.open(pass);
    this.#numLeft = count;
  }

  async read(maxRows: number): Promise<Block | null> {
    if (this.#numLeft === 0) return null;
    const block = await this.#upstream.read(Math.min(maxRows, this.#numLeft));
    this.#numLeft -= block?.numRows ?? 0;
    return block;
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}

class SkipStream implements BlockStream {
  readonly #upstream: BlockStream;
  #numLeft: number;

  constructor(upstream: Plan, pass: Pass, count: number) {
    this.#upstream = upstream.open(pass);
    this.#numLeft = count;
  }

  async read(maxRows: number): Promise<Block | null> {
    while (this.#numLeft > 0) {
      const skipped = await this.#upstream.read(this.#numLeft);
      if (skipped === null) return null;
      disposeBlock(skipped);
      this.#numLeft -= skipped.numRows;
    }
    return this.#upstream.read(maxRows);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}
