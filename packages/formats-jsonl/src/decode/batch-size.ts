import type { BatchLimits } from "@tfxio/wire";
import type { Column } from "../columns/column.js";
import { fieldsByteSize } from "../columns/column-data.js";

/** Arrow bytes of a number. In JSON it takes two bytes at least: a digit and a comma. */
const NUMBER_BYTES = 8;
/** JSON bytes of the shortest object in a list, with its comma. It takes a place in every column of its struct. */
const SHORTEST_OBJECT = 3;

/**
 * Decides when a batch is full. Adding up the columns takes time, so it happens only after enough JSON to fill the batch.
 */
export class BatchSize {
  readonly #root: Column;
  readonly #count: { readonly numColumns: number };
  #known = 0;
  #numRows = 0;
  #numBytes = 0;

  /** @param count columns of the batch, in all its structs. */
  constructor(root: Column, count: { readonly numColumns: number }) {
    this.#root = root;
    this.#count = count;
  }

  /** Adds a row. @param numBytes of its JSON. @returns true when the batch has reached a limit. */
  add(numBytes: number, { maxRows, maxBytes }: BatchLimits): boolean {
    const { length } = this.#root;
    if (length >= maxRows) return true;
    this.#numRows++;
    this.#numBytes += numBytes;
    const perRow = NUMBER_BYTES * this.#count.numColumns;
    const most =
      this.#numRows * perRow + this.#numBytes * Math.max(NUMBER_BYTES / 2, perRow / SHORTEST_OBJECT);
    if (this.#known + most < maxBytes) return false;
    this.reset();
    this.#known = fieldsByteSize(this.#root, length);
    return this.#known >= maxBytes;
  }

  reset(): void {
    this.#known = this.#numRows = this.#numBytes = 0;
  }
}
