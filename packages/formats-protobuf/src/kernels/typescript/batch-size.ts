import type { BelowItems } from "./column.js";

/** Share of the room left that input may fill before the size is looked at again. */
const WATCHED_SHARE = 16;

/**
 * Knows when a batch is full by its bytes. Summing up all columns after each record would cost more than decoding small
 * ones, so it waits until they may have filled half of the room that was left.
 */
export class BatchSize {
  #nextRow = 1;
  #inputLeft = 0;

  /** @param recordBytes Length of the record that was decoded last. */
  isFull(root: BelowItems, numRows: number, recordBytes: number, maxBytes: number): boolean {
    if (maxBytes === Number.POSITIVE_INFINITY) return false;
    this.#inputLeft -= recordBytes;
    if (numRows < this.#nextRow && this.#inputLeft > 0) return false;
    const numBytes = bytesBelow(root, numRows);
    const room = maxBytes - numBytes;
    this.#nextRow = numRows + Math.max(1, Math.floor((room * numRows) / (numBytes * 2 + 1)));
    this.#inputLeft = Math.max(0, room) / WATCHED_SHARE;
    return room <= 0;
  }

  /** For the next batch. */
  clear(): void {
    this.#nextRow = 1;
    this.#inputLeft = 0;
  }
}

/** Bytes that the columns of messages take in a batch, and what is below those. */
export function bytesBelow({ columns }: BelowItems, numParents: number): number {
  let numBytes = 0;
  for (const column of columns) {
    numBytes += column.numBytes(numParents);
    if (column.message !== undefined) numBytes += bytesBelow(column.message, column.numItems);
  }
  return numBytes;
}
