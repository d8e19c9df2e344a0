import type { BatchLimits } from "@tfxio/wire";
import type { Column } from "../columns/column.js";
import { fieldsByteSize } from "../columns/column-data.js";

/** Bytes of Arrow that two bytes of JSON, a digit and a comma, become. */
const NUMBER_BYTES = 8;
/** Shortest object in a list, with its comma: it takes a place in every column of its struct. */
const SHORTEST_OBJECT = 3;

/**
 * Says when a batch is full. Adding up the columns takes time, so it is done once what was read since could have filled
 * the batch.
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

  /** Counts a row of so many bytes of JSON. @returns true when the batch has reached a limit. */
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
