import { PassLength } from "../../checkpoint/pass-count.js";
import { isRegular, nodeOn, passOver } from "../../checkpoint/plan-node.js";
import { skipRows } from "../../checkpoint/skip-rows.js";
import type { Block } from "../../blocks/block.js";
import type { Cardinality } from "../../cardinality.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** Repeats the input `count` times, or forever if `count` is -1. A pass without elements ends the repetition. */
export function repeatPlan(upstream: Plan, count: number): Plan {
  const passLength = new PassLength();
  return {
    node: {
      ...nodeOn(upstream, "repeat", [count]),
      numRepeats: count,
      isRegular: count > 0,
      passLength,
    },
    cardinality: () => repeatedCardinality(upstream.cardinality(), count),
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: upstream.moved,
    open: (pass) => new RepeatStream(upstream, pass, count, passLength),
  };
}

/**
 * Returns the cardinality of the repetition. Like tf.data, returns `"infinite"` for an input of unknown length that is repeated
 * forever, although an empty pass would end the repetition.
 */
function repeatedCardinality(cardinality: Cardinality, count: number): Cardinality {
  if (count === 0 || cardinality === 0) return 0;
  if (count < 0) return "infinite";
  return typeof cardinality === "number" ? cardinality * count : cardinality;
}

class RepeatStream implements BlockStream {
  readonly #upstream: Plan;
  readonly #pass: Pass;
  readonly #count: number;
  #current: BlockStream | undefined;
  #numPasses = 0;
  /** Number of rows of the current pass so far. */
  #numRows = 0;
  readonly #passLength: PassLength;

  constructor(upstream: Plan, pass: Pass, count: number, passLength: PassLength) {
    this.#passLength = passLength;
    this.#upstream = upstream;
    this.#pass = pass;
    this.#count = count;
  }

  async read(maxRows: number): Promise<Block | null> {
    while (this.#numPasses !== this.#count) {
      this.#current ??= this.#upstream.open(this.#pass);
      const block = await this.#current.read(maxRows);
      if (block !== null) {
        this.#numRows += block.numRows;
        return block;
      }
      await this.#endPass();
    }
    return null;
  }

  async skip(numRows: number): Promise<number> {
    let numLeft = numRows - this.#skipPasses(numRows);
    while (this.#numPasses !== this.#count && numLeft > 0) {
      this.#current ??= this.#upstream.open(this.#pass);
      const numSkipped = await skipRows(this.#current, numLeft);
      this.#numRows += numSkipped;
      numLeft -= numSkipped;
      if (numLeft > 0) await this.#endPass();
    }
    return numRows - numLeft;
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.close();
  }

  async #endPass(): Promise<void> {
    await this.close();
    if (this.#numRows > 0) this.#passLength.learn(this.#numRows);
    this.#numPasses = this.#numRows > 0 ? this.#numPasses + 1 : this.#count;
    this.#numRows = 0;
  }

  /** If no pass has begun, skips whole passes of known length without reading them. Returns the number of rows skipped. */
  #skipPasses(numRows: number): number {
    const known = this.#upstream.cardinality();
    const length = typeof known === "number" ? known : this.#passLength.numRows;
    if (length === undefined || length === 0 || this.#numPasses > 0 || this.#current !== undefined) return 0;
    if (!isRegular(this.#upstream)) return 0;
    const mostPasses = this.#count < 0 ? Number.POSITIVE_INFINITY : this.#count;
    const numPasses = Math.min(Math.floor(numRows / length), mostPasses);
    if (numPasses > 0) passOver(this.#upstream, this.#pass.log, numPasses);
    this.#numPasses = numPasses;
    return numPasses * length;
  }
}
