import type { Block } from "../../blocks/block.js";
import type { Cardinality } from "../../cardinality.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** `count` passes one after the other, or endless ones for -1. A pass without elements ends an endless repeat. */
export function repeatPlan(upstream: Plan, count: number): Plan {
  return {
    cardinality: () => repeatedCardinality(upstream.cardinality(), count),
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: upstream.moved,
    open: (pass) => new RepeatStream(upstream, pass, count),
  };
}

/** As tf.data answers; an unknown count repeated forever is "infinite", though an empty pass would end it. */
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
  #hasRows = false;

  constructor(upstream: Plan, pass: Pass, count: number) {
    this.#upstream = upstream;
    this.#pass = pass;
    this.#count = count;
  }

  async read(maxRows: number): Promise<Block | null> {
    while (this.#numPasses !== this.#count) {
      this.#current ??= this.#upstream.open(this.#pass);
      const block = await this.#current.read(maxRows);
      if (block !== null) {
        this.#hasRows = true;
        return block;
      }
      await this.close();
      this.#numPasses = this.#hasRows ? this.#numPasses + 1 : this.#count;
      this.#hasRows = false;
    }
    return null;
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.close();
  }
}
