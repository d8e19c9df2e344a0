import { type Block, disposeBlock, gatherRows, isItemRows, itemsOf, sliceBlock } from "../../blocks/block.js";
import { Failure } from "../../failure.js";

/** A queue of the rows that may still belong to a window. */
export class BufferedRows {
  #blocks: Block[] = [];
  #numRows = 0;

  get numRows(): number {
    return this.#numRows;
  }

  push(block: Block): void {
    this.#blocks.push(block);
    this.#numRows += block.numRows;
  }

  /**
   * Returns every `stride`-th row, from row 0 up to `end` (exclusive). Rows of columns or record batches are views if `stride` is
   * 1, otherwise copies.
   */
  select(end: number, stride: number): readonly Block[] {
    const parts: Block[] = [];
    let first = 0;
    let start = 0;
    for (const block of this.#blocks) {
      if (start >= end) break;
      const numRows = Math.min(block.numRows, end - start);
      if (first < start + numRows) {
        const count = Math.ceil((start + numRows - first) / stride);
        parts.push(selectRows(block, first - start, stride, count));
        first += count * stride;
      }
      start += block.numRows;
    }
    return parts;
  }

  /** Drops the first `count` rows and disposes their tensors. */
  drop(count: number): void {
    let numLeft = count;
    this.#numRows -= count;
    while (numLeft > 0) {
      const block = this.#blocks[0] as Block;
      const numDropped = Math.min(block.numRows, numLeft);
      disposeBlock(sliceBlock(block, 0, numDropped));
      if (numDropped === block.numRows) this.#blocks.shift();
      else this.#blocks[0] = sliceBlock(block, numDropped, block.numRows);
      numLeft -= numDropped;
    }
  }
}

/** Returns the first failure in `parts`, or undefined if there is none. */
export function failureIn(parts: readonly Block[]): Failure | undefined {
  for (const part of parts) {
    if (!isItemRows(part)) continue;
    const failure = part.items.find((element) => element instanceof Failure);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Returns `count` rows of a block: `first`, and every `stride`-th row after it. */
function selectRows(block: Block, first: number, stride: number, count: number): Block {
  if (stride === 1) return sliceBlock(block, first, first + count);
  const rows = Uint32Array.from({ length: count }, (_, index) => first + index * stride);
  if (isItemRows(block)) {
    const items = itemsOf(block);
    return { numRows: count, items: Array.from(rows, (row) => items[row]) };
  }
  return gatherRows([block], new Uint32Array(count), rows);
}
