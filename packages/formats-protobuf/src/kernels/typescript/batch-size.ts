import type { BelowItems } from "./column.js";

/** Input may fill 1 / `WATCHED_SHARE` of the remaining space before the size of a batch is computed again. */
const WATCHED_SHARE = 16;

/**
 * Detects that a batch has reached its limit in bytes. Adding up all columns after each record would cost more than decoding
 * small records. So the size is computed again only when the rows or the input added since the last time could have filled a
 * certain share of the remaining space.
 */
export class BatchSize {
  #nextRow = 1;
  #inputLeft = 0;

  /**
   * Returns true if the batch has reached `maxBytes`. Returns false without computing the size if too little has been added.
   * @param recordBytes length of the last record in bytes.
   */
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

  clear(): void {
    this.#nextRow = 1;
    this.#inputLeft = 0;
  }
}

/** Returns the number of bytes that the columns of `numParents` messages take in a batch, including those of nested messages. */
export function bytesBelow({ columns }: BelowItems, numParents: number): number {
  let numBytes = 0;
  for (const column of columns) {
    numBytes += column.numBytes(numParents);
    if (column.message !== undefined) numBytes += bytesBelow(column.message, column.numItems);
  }
  return numBytes;
}
