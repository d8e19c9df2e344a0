import { type Block, blockOfItems } from "../../blocks/block.js";
import { batchedCount } from "../../cardinality.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { skipRows } from "../../checkpoint/skip-rows.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { collectRows } from "./collect-rows.js";

/** Batch size, and the operator that batches. */
export interface BatchSize {
  readonly operator: string;
  readonly size: number;
  readonly dropRemainder: boolean;
  /** Other settings that determine the batches, for checkpoints. */
  readonly settings?: readonly unknown[];
}

/**
 * Returns one batch of the rows or a `Failure`, or a promise of either. Consumes the rows. An exception ends the pass.
 * @param elementIndex index of the first row.
 */
export type MakeBatch = (rows: readonly Block[], elementIndex: number, pass: Pass) => unknown;

/** Turns each `size` rows into one element. The last batch may be smaller unless `dropRemainder` is set. */
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

  /** Returns one batch per call, so that it reads no more rows than the caller needs. */
  async read(): Promise<Block | null> {
    const rows = await collectRows(this.#upstream, this.#size, this.#dropRemainder);
    if (rows === undefined) return null;
    const elementIndex = this.#elementIndex;
    this.#elementIndex += rows.numRows;
    return blockOfItems([await this.#makeBatch(rows.parts, elementIndex, this.#pass)]);
  }

  async skip(numBatches: number): Promise<number> {
    const numRows = await skipRows(this.#upstream, numBatches * this.#size);
    this.#elementIndex += numRows;
    return this.#dropRemainder ? Math.floor(numRows / this.#size) : Math.ceil(numRows / this.#size);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}
