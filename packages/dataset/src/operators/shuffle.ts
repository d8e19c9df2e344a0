import { Random } from "@tfxio/wire";
import { type Block, blockOfItems } from "../block.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { RowReferences } from "./row-references.js";

/** Rows of blocks that the buffer may keep alive, per row that it holds; then it copies what it holds. */
const MAX_RETAINED = 4;

/** Options of shuffle, checked. */
export interface ShuffleSettings {
  readonly bufferSize: number;
  readonly seed: number;
  readonly reshuffleEachIteration: boolean;
}

/**
 * Rows drawn uniformly from a buffer that is refilled in order. Pass k (counted by first reads, over all iterators and
 * repeats) draws from `Random.of(seed, k)`, or always from stream 0. The order does not depend on how rows are asked
 * for: another batch size or a prefetch behind it changes nothing.
 */
export function shufflePlan(upstream: Plan, settings: ShuffleSettings): Plan {
  let numPasses = 0;
  const createRandom = (): Random => {
    const stream = settings.reshuffleEachIteration ? numPasses++ : 0;
    return Random.of(settings.seed, stream);
  };
  return {
    cardinality: upstream.cardinality,
    tf: upstream.tf,
    open: (pass) => new ShuffleStream(upstream, pass, settings.bufferSize, createRandom),
  };
}

class ShuffleStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #bufferSize: number;
  readonly #createRandom: () => Random;
  #random: Random | undefined;
  readonly #buffer: RowReferences = new RowReferences();
  #incoming: Block = blockOfItems([]);
  #incomingRow = 0;
  #isEnded = false;
  /** Rows of the blocks that the buffer keeps alive, an upper bound. */
  #numRetained = 0;

  constructor(upstream: Plan, pass: Pass, bufferSize: number, createRandom: () => Random) {
    this.#upstream = upstream.open(pass);
    this.#bufferSize = bufferSize;
    this.#createRandom = createRandom;
  }

  async read(maxRows: number): Promise<Block | null> {
    this.#random ??= this.#createRandom();
    const drawn = new RowReferences();
    try {
      while (drawn.length < maxRows) {
        if (!this.#isFull()) await this.#fill(maxRows - drawn.length);
        if (this.#buffer.length === 0) break;
        this.#buffer.moveTo(drawn, this.#random.below(this.#buffer.length));
      }
      if (drawn.length === 0) return null;
      const block = drawn.gather();
      if (this.#numRetained > MAX_RETAINED * this.#bufferSize + this.#incoming.numRows) this.#compact();
      return block;
    } catch (error) {
      drawn.dispose();
      throw error;
    }
  }

  async close(): Promise<void> {
    while (this.#incomingRow < this.#incoming.numRows) this.#buffer.push(this.#incoming, this.#incomingRow++);
    this.#buffer.dispose();
    this.#incoming = blockOfItems([]);
    this.#incomingRow = 0;
    await this.#upstream.close();
  }

  /** Takes over rows that have arrived; true when the buffer is full or nothing more will come. */
  #isFull(): boolean {
    while (this.#buffer.length < this.#bufferSize && this.#incomingRow < this.#incoming.numRows) {
      this.#buffer.push(this.#incoming, this.#incomingRow++);
    }
    return this.#isEnded || this.#buffer.length === this.#bufferSize;
  }

  /** Reads until the buffer is full, ahead for `numDraws` draws at once. */
  async #fill(numDraws: number): Promise<void> {
    while (!this.#isFull()) {
      const missing = this.#bufferSize - this.#buffer.length;
      const block = await this.#upstream.read(missing + numDraws - 1);
      this.#isEnded = block === null;
      this.#incoming = block ?? blockOfItems([]);
      this.#incomingRow = 0;
      this.#numRetained += this.#incoming.numRows;
    }
  }

  /** Copies the rows still in the buffer, so that blocks of which few rows are left can go. */
  #compact(): void {
    this.#numRetained = this.#incoming.numRows + this.#buffer.length;
    if (this.#buffer.length === 0) return;
    const block = this.#buffer.gather();
    this.#buffer.clear();
    for (let row = 0; row < block.numRows; row++) this.#buffer.push(block, row);
  }
}
