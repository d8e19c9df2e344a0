import type { BatchLimits } from "@tfxio/wire";
import type { Column } from "../columns/column.js";
import { fieldsByteSize } from "../columns/column-data.js";
import type { ColumnCount } from "../columns/fields.js";

/** Number of bytes that an Int64 or Float64 takes in Arrow. No fixed-width value takes more. */
const NUMBER_BYTES = 8;
/** Number of bytes that the shortest number in a list takes in JSON, with its comma. */
const SHORTEST_NUMBER = 2;
/**
 * Number of bytes that the shortest object in a list takes in JSON, with its comma. Even `{}` adds a value to every column of
 * its struct.
 */
const SHORTEST_OBJECT = 3;

/**
 * Decides when a batch is full. Summing the sizes of all columns takes time, so the sum is computed only when the rows added
 * since the last sum, judged by their number and the size of their JSON, may have filled the batch.
 */
export class BatchSize {
  readonly #root: Column;
  readonly #count: Readonly<ColumnCount>;
  #known = 0;
  #numRows = 0;
  #numBytes = 0;

  constructor(root: Column) {
    this.#root = root;
    this.#count = root.selection.count;
  }

  /** Adds a row. @param numBytes Size of its JSON. @returns true if the batch has reached a limit. */
  add(numBytes: number, { maxRows, maxBytes }: BatchLimits): boolean {
    const { length } = this.#root;
    if (length >= maxRows) return true;
    this.#numRows++;
    this.#numBytes += numBytes;
    const { numColumns, numInLists } = this.#count;
    const perByte = NUMBER_BYTES * Math.max(1 / SHORTEST_NUMBER, numInLists / SHORTEST_OBJECT);
    const most = this.#numRows * NUMBER_BYTES * numColumns + this.#numBytes * perByte;
    if (this.#known + most < maxBytes) return false;
    this.reset();
    this.#known = fieldsByteSize(this.#root, length);
    return this.#known >= maxBytes;
  }

  reset(): void {
    this.#known = this.#numRows = this.#numBytes = 0;
  }
}
