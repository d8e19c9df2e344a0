import { nodeOn } from "../../checkpoint/plan-node.js";
import { skipRows } from "../../checkpoint/skip-rows.js";
import type { Block } from "../../blocks/block.js";
import { mapCount } from "../../cardinality.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** Takes the first `count` elements, or all if `count` is -1. */
export function takePlan(upstream: Plan, count: number): Plan {
  if (count < 0) return upstream;
  return {
    // If `count` is 0, nothing is read, so the pass numbers of upstream operators do not advance.
    node: { ...nodeOn(upstream, "take", [count]), isRegular: count > 0 },
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

/** Skips the first `count` elements, or all if `count` is -1. */
export function skipPlan(upstream: Plan, count: number): Plan {
  if (count < 0) return takePlan(upstream, 0);
  return {
    node: nodeOn(upstream, "skip", [count]),
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

  async skip(numRows: number): Promise<number> {
    const numSkipped = await skipRows(this.#upstream, Math.min(numRows, this.#numLeft));
    this.#numLeft -= numSkipped;
    return numSkipped;
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
    return (await this.#isAtStart()) ? this.#upstream.read(maxRows) : null;
  }

  async skip(numRows: number): Promise<number> {
    return (await this.#isAtStart()) ? skipRows(this.#upstream, numRows) : 0;
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Skips the first `count` rows, if not yet done. Returns false if the input ends before that. */
  async #isAtStart(): Promise<boolean> {
    this.#numLeft -= await skipRows(this.#upstream, this.#numLeft);
    return this.#numLeft === 0;
  }
}
