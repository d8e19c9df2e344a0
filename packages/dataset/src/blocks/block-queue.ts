import { type Block, disposeBlock, sliceBlock } from "./block.js";

/** Blocks that wait to be read, in order; a block that is larger than what is asked for is cut. */
export class BlockQueue {
  readonly #blocks: Block[] = [];

  /** Number of blocks that wait. */
  get length(): number {
    return this.#blocks.length;
  }

  push(...blocks: readonly Block[]): void {
    this.#blocks.push(...blocks);
  }

  /** The next 1 to `maxRows` rows, of one block; null when none waits. */
  read(maxRows: number): Block | null {
    const block = this.#blocks.shift();
    if (block === undefined) return null;
    if (block.numRows <= maxRows) return block;
    this.#blocks.unshift(sliceBlock(block, maxRows, block.numRows));
    return sliceBlock(block, 0, maxRows);
  }

  /** Forgets the blocks and disposes their tensors. */
  dispose(): void {
    this.#blocks.splice(0).forEach(disposeBlock);
  }
}
