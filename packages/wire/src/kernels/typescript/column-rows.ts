import { MAX_OFFSET, noBytes, noWords, trimmed, withHeadroom } from "./column-memory.js";

/** Role of a column in a batch. */
export type ColumnRole =
  /** The plan lists the column with a kind. It is always in the batch. */
  | "planned"
  /**
   * The plan selects the column by name, without a kind. It is in the batch if the name occurs, and is remembered between
   * batches.
   */
  | "wanted"
  /** The column was found in the data. It is in the batch if the name occurs, and is forgotten after a batch without it. */
  | "discovered"
  /** The plan ignores the name. The column is never in the batch. */
  | "ignored";

/** Rows of a list column in Arrow layout. The bitmap is absent if there are no nulls. */
export interface RowBuffers {
  readonly nullCount: number;
  /** Arrow bitmap, least significant bit first, 0 for null. Undefined if no row is null. */
  readonly validity: Uint8Array | undefined;
  /** Length `numRows + 1`. Null rows have equal start and end, like empty ones. */
  readonly offsets: Int32Array;
}

/**
 * Name and rows of a list column under construction. Stores which rows are null and where the values of each row end. Rows are
 * filled lazily: when a row arrives, the unfinished rows before it become null.
 */
export class ColumnRows {
  // Every field has an initial value of its final type, so that V8 can rely on the type.
  /** First row in which the name occurs, or -1 if it has not occurred in this batch. Always 0 for a planned column. */
  firstRow = -1;
  /** Number of finished rows. */
  row = 0;
  nullCount = 0;
  numValues = 0;
  /** Number of rows that fit in the current memory. */
  rowCapacity = 0;
  private offsets: Int32Array<ArrayBuffer> = noWords;
  /** Bitmap with 1 for valid rows, maintained only if a row is null. All bits from `row` on are 0. */
  private validity: Uint8Array<ArrayBuffer> = noBytes;
  /** Initial capacity in rows, from the size of the previous batch. */
  private rowHint = 0;

  /** The name in UTF-8. */
  readonly key: Uint8Array<ArrayBuffer> = noBytes;
  readonly keyLength: number = 0;
  /** The name as little-endian 32-bit words, without an incomplete last word. */
  readonly keyWords: Int32Array<ArrayBuffer> = noWords;
  /** The last four bytes of the name as a word, or 0 if the name is shorter. */
  readonly keyTail: number = 0;

  constructor(
    readonly name: string,
    readonly role: ColumnRole,
  ) {
    this.firstRow = role === "planned" ? 0 : -1;
    this.key = new TextEncoder().encode(name);
    this.keyLength = this.key.length;
    const view = new DataView(this.key.buffer, this.key.byteOffset, this.keyLength);
    this.keyWords = Int32Array.from({ length: this.keyLength >> 2 }, (_, i) => view.getInt32(i * 4, true));
    this.keyTail = this.keyLength < 4 ? 0 : view.getInt32(this.keyLength - 4, true);
  }

  /** Fills the unfinished rows before `row` with nulls and makes room for `row`. */
  seek(row: number): void {
    if (row >= this.rowCapacity) this.growRows(row);
    if (this.row === row) return;
    if (this.nullCount === 0) setBits(this.validity, this.row);
    this.nullCount += row - this.row;
    this.offsets.fill(this.numValues, this.row + 1, row + 1);
    this.row = row;
  }

  /** Ends the current row, whose values are those appended since the previous row ended. */
  commit(): void {
    const { row } = this;
    if (this.nullCount > 0) this.validity[row >> 3]! |= 1 << (row & 7);
    this.offsets[row + 1] = this.numValues;
    this.row = row + 1;
  }

  /** Makes room for `row`. Returns false if the offsets would exceed int32, or if memory cannot be allocated. */
  reserveRows(row: number): boolean {
    if (row < this.rowCapacity) return true;
    if (row >= MAX_OFFSET) return false;
    try {
      this.growRows(row);
      return true;
    } catch {
      return false;
    }
  }

  /** Number of values in finished rows. */
  protected get numCommitted(): number {
    return this.row === 0 ? 0 : this.offsets[this.row]!;
  }

  /** Removes the rows from `row` on. */
  protected rewind(row: number): void {
    if (this.nullCount > 0) {
      for (let i = row; i < this.row; i++) {
        const bit = 1 << (i & 7);
        if ((this.validity[i >> 3]! & bit) === 0) this.nullCount--;
        this.validity[i >> 3]! &= ~bit;
      }
    }
    if (this.row > row) this.row = row;
  }

  /** Returns the approximate size in bytes of the offsets and bitmap of `numRows` rows. */
  protected rowsSize(numRows: number): number {
    return numRows * 4 + (numRows >> 3);
  }

  /** Returns the buffers of `numRows` rows, and gives up their memory. */
  protected takeRows(numRows: number): RowBuffers {
    this.seek(numRows);
    const { nullCount } = this;
    const validity = nullCount === 0 ? undefined : trimmed(this.validity, (numRows + 7) >> 3);
    const offsets = trimmed(this.offsets, numRows + 1);
    this.rowHint = withHeadroom(numRows);
    this.offsets = noWords;
    this.validity = noBytes;
    this.rowCapacity = 0;
    return { nullCount, validity, offsets };
  }

  /** Removes all rows but keeps the memory. */
  protected restartRows(): void {
    this.validity.fill(0);
    this.firstRow = this.role === "planned" ? 0 : -1;
    this.row = 0;
    this.nullCount = 0;
    this.numValues = 0;
  }

  private growRows(row: number): void {
    const capacity = Math.ceil((Math.max(row, this.rowCapacity * 2, this.rowHint) + 1) / 64) * 64;
    const offsets = new Int32Array(capacity + 1);
    offsets.set(this.offsets);
    const validity = new Uint8Array(capacity / 8);
    validity.set(this.validity);
    this.offsets = offsets;
    this.validity = validity;
    this.rowCapacity = capacity;
  }
}

function setBits(bitmap: Uint8Array, count: number): void {
  bitmap.fill(0xff, 0, count >> 3);
  if ((count & 7) > 0) bitmap[count >> 3] = (1 << (count & 7)) - 1;
}
