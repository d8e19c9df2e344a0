import { type Block, blockOfItems, disposeBlock, gatherRows, itemsOf } from "../block.js";

/** Rows of blocks by reference, in two plain arrays: no object per row, no copy until they are gathered. */
export class RowReferences {
  readonly #blocks: Block[] = [];
  readonly #rows: number[] = [];

  get length(): number {
    return this.#rows.length;
  }

  push(block: Block, row: number): void {
    this.#blocks.push(block);
    this.#rows.push(row);
  }

  /** Moves reference `index` to the end of `target`; the last one takes its place. */
  moveTo(target: RowReferences, index: number): void {
    target.push(this.#blocks[index] as Block, this.#rows[index] as number);
    const block = this.#blocks.pop() as Block;
    const row = this.#rows.pop() as number;
    if (index === this.#rows.length) return;
    this.#blocks[index] = block;
    this.#rows[index] = row;
  }

  /** The rows as one block. At least one is needed. */
  gather(): Block {
    const positions = new Map<Block, number>();
    const part = new Int32Array(this.length);
    this.#blocks.forEach((block, index) => {
      const known = positions.get(block);
      part[index] = known ?? positions.size;
      if (known === undefined) positions.set(block, positions.size);
    });
    return gatherRows([...positions.keys()], part, Int32Array.from(this.#rows));
  }

  /** Forgets all references. */
  clear(): void {
    this.#blocks.length = 0;
    this.#rows.length = 0;
  }

  /** Disposes the tensors of the rows and forgets them. */
  dispose(): void {
    this.#blocks.forEach((block, index) => {
      if ("items" in block) disposeBlock(blockOfItems([itemsOf(block)[this.#rows[index] as number]]));
    });
    this.clear();
  }
}
