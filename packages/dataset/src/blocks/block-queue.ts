import { type Block, disposeBlock, sliceBlock } from "./block.js";

/** A first-in, first-out queue of blocks. A read splits a block that is larger than requested. */
export class BlockQueue {
  readonly #blocks: Block[] = [];

  get length(): number {
    return this.#blocks.length;
  }

  /** Appends blocks. Every block must have at least one row. */
  push(...blocks: readonly Block[]): void {
    this.#blocks.push(...blocks);
  }

  /** Removes and returns the next 1 to `maxRows` rows, all from one block. Returns null if the queue is empty. */
  read(maxRows: number): Block | null {
    const block = this.#blocks.shift();
    if (block === undefined) return null;
    if (block.numRows <= maxRows) return block;
    this.#blocks.unshift(sliceBlock(block, maxRows, block.numRows));
    return sliceBlock(block, 0, maxRows);
  }

  /** Empties the queue and disposes the tensors in it. */
  dispose(): void {
    this.#blocks.splice(0).forEach(disposeBlock);
  }
}
