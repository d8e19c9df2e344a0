import { type Block, blockOfItems } from "../../blocks/block.js";
import { batchedCount } from "../../cardinality.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { skipRows } from "../../checkpoint/skip-rows.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { collectRows } from "./collect-rows.js";

/** Settings of {@link collectedBatchesPlan}. */
export interface BatchSize {
  /** Name of the operator, for error messages and checkpoints. */
  readonly operator: string;
  /** Number of rows in a full batch. */
  readonly size: number;
  /** True to drop a last batch that is not full. */
  readonly dropRemainder: boolean;
  /** Further settings that determine the batches, as JSON values. A checkpoint can only be resumed with equal settings. */
  readonly settings?: readonly unknown[];
}

/**
 * Combines rows into one batch. Returns the batch or a `Failure`, or a promise of either. Consumes the rows. An exception ends
 * the pass.
 * @param elementIndex Index of the first row in the input, for error messages.
 */
export type MakeBatch = (rows: readonly Block[], elementIndex: number, pass: Pass) => unknown;

/** Combines every `size` rows into one element. The last batch may be smaller unless `dropRemainder` is set. */
export function collectedBatchesPlan(upstream: Plan, batchSize: BatchSize, makeBatch: MakeBatch): Plan {
  const { operator, size, dropRemainder, settings = [] } = batchSize;
  return {
    ...upstream,
    node: nodeOn(upstream, operator, [size, dropRemainder, ...settings]),
    cardinality: () => batchedCount(upstream.cardinality(), size, dropRemainder),
    moved: undefined,
    open: (pass) => new CollectedBatchesStream(upstream, pass, batchSize, makeBatch),
  };
}

class CollectedBatchesStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #size: number;
  readonly #dropRemainder: boolean;
  readonly #makeBatch: MakeBatch;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, { size, dropRemainder }: BatchSize, makeBatch: MakeBatch) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#size = size;
    this.#dropRemainder = dropRemainder;
    this.#makeBatch = makeBatch;
  }

  /** Returns one batch per call, even if more are requested, so that no row is read before it is needed. */
  async read(): Promise<Block | null> {
    const rows = await collectRows(this.#upstream, this.#size, this.#dropRemainder);
    if (rows === undefined) return null;
    const elementIndex = this.#elementIndex;
    this.#elementIndex += rows.numRows;
    return blockOfItems([await this.#makeBatch(rows.parts, elementIndex, this.#pass)]);
  }

  /** Skips the rows of the batches, without making the batches. */
  async skip(numBatches: number): Promise<number> {
    const numRows = await skipRows(this.#upstream, numBatches * this.#size);
    this.#elementIndex += numRows;
    return this.#dropRemainder ? Math.floor(numRows / this.#size) : Math.ceil(numRows / this.#size);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}
