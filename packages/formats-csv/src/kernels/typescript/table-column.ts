import { CellKind, type TableColumn } from "../csv-kernel.js";
import { found, readPlainFloat, readPlainInt } from "./plain-numbers.js";

const TWO_TO_32 = 2 ** 32;
const MAX_DATA_BYTES = 2 ** 31 - 1;

/** Result of storing a cell. */
export const Stored = { done: 0, deferred: 1, tooLarge: 2 } as const;
export type Stored = (typeof Stored)[keyof typeof Stored];

/** The cells of one column, by row. */
export class ColumnCells {
  readonly #kind: CellKind;
  #capacity = 0;
  #nulls = new Uint8Array(0);
  #values = new ArrayBuffer(0);
  #words = new Int32Array(this.#values);
  #floats = new Float32Array(this.#values);
  #data = new Uint8Array(0);

  constructor(kind: CellKind) {
    this.#kind = kind;
  }

  /** Returns the number of bytes in the first `numRows` cells; 0 for kinds other than `bytes`. */
  numDataBytes(numRows: number): number {
    return this.#kind === CellKind.bytes && numRows > 0 ? (this.#words[numRows] as number) : 0;
  }

  /** Ensures capacity for row `row`. */
  reserve(row: number): void {
    if (row < this.#capacity) return;
    const capacity = Math.max(64, this.#capacity * 2, row + 1);
    const nulls = new Uint8Array(Math.ceil(capacity / 8));
    nulls.set(this.#nulls);
    this.#nulls = nulls;
    if (this.#kind >= CellKind.int64) {
      const size = this.#kind === CellKind.int64 ? 8 : 4;
      const values = new ArrayBuffer((capacity + 1) * size);
      new Uint8Array(values).set(new Uint8Array(this.#values));
      this.#values = values;
      this.#words = new Int32Array(values);
      this.#floats = new Float32Array(values);
    }
    this.#capacity = capacity;
  }

  storeNull(row: number): void {
    this.#nulls[row >> 3] = (this.#nulls[row >> 3] as number) | (1 << (row & 7));
    if (this.#kind === CellKind.bytes) this.#words[row + 1] = this.#words[row] as number;
  }

  store(row: number, text: Uint8Array, start: number, end: number): Stored {
    switch (this.#kind) {
      case CellKind.int64:
        if (!readPlainInt(text, start, end)) return Stored.deferred;
        this.#words[2 * row] = found.value;
        this.#words[2 * row + 1] = Math.floor(found.value / TWO_TO_32);
        return Stored.done;
      case CellKind.float32:
        if (!readPlainFloat(text, start, end)) return Stored.deferred;
        this.#floats[row] = found.value;
        return Stored.done;
      case CellKind.bytes:
        return this.#storeBytes(row, text, start, end);
      case CellKind.nothing:
        return Stored.deferred;
      default:
        return Stored.done;
    }
  }

  /** Removes the cell of `row`. */
  takeBack(row: number): void {
    const index = row >> 3;
    if (index < this.#nulls.length) this.#nulls[index] = (this.#nulls[index] as number) & ~(1 << (row & 7));
  }

  view(numRows: number): TableColumn {
    const nulls = this.#nulls;
    switch (this.#kind) {
      case CellKind.int64:
        return { nulls, int64: new BigInt64Array(this.#values, 0, numRows) };
      case CellKind.float32:
        return { nulls, float32: this.#floats.subarray(0, numRows) };
      case CellKind.bytes: {
        const data = this.#data.subarray(0, this.numDataBytes(numRows));
        return { nulls, offsets: this.#words.subarray(0, numRows + 1), data };
      }
      default:
        return { nulls };
    }
  }

  clear(): void {
    this.#nulls.fill(0);
  }

  #storeBytes(row: number, text: Uint8Array, start: number, end: number): Stored {
    const from = row === 0 ? 0 : (this.#words[row] as number);
    const to = from + end - start;
    if (to > MAX_DATA_BYTES) return Stored.tooLarge;
    if (to > this.#data.length) {
      const grown = new Uint8Array(Math.min(MAX_DATA_BYTES, Math.max(256, to, this.#data.length * 2)));
      grown.set(this.#data.subarray(0, from));
      this.#data = grown;
    }
    const data = this.#data;
    for (let at = start, into = from; at < end; at++, into++) data[into] = text[at] as number;
    this.#words[row + 1] = to;
    return Stored.done;
  }
}
