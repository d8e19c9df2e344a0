import { bitmapOf } from "@tfxio/arrow-encoding";
import { RecordError } from "@tfxio/wire";
import type { AvroCursor } from "./avro-cursor.js";

type Numbers = Uint8Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

/** Maximum offset in a list, binary or text column, because offsets are int32. */
const MAX_POSITION = 2 ** 31 - 1;
/** Minimum number of elements to allocate. */
const FIRST_LENGTH = 16;

/** Counts and limits the memory of a batch's columns, since a few bytes of input can create long columns of nulls. */
export class BatchMemory {
  numBytes = 0;

  constructor(
    readonly maxBytes: number,
    readonly uri: string,
  ) {}

  /**
   * Counts an allocation. Call this before allocating.
   * @throws {RecordError} `limit-exceeded` (`batch-too-large`) if the total would exceed `maxBytes`.
   */
  add(numBytes: number): void {
    this.numBytes += numBytes;
    if (this.numBytes <= this.maxBytes) return;
    const message = `${this.uri}: a batch takes more than ${this.maxBytes} bytes. Request smaller batches.`;
    throw new RecordError("limit-exceeded", message, { reason: "batch-too-large", uri: this.uri });
  }
}

/** A typed array that grows by doubling. Elements at or after {@link length} are spare room. */
export class Growable<Values extends Numbers> {
  length = 0;

  constructor(
    public values: Values,
    readonly memory: BatchMemory,
  ) {}

  /** Makes room for `added` more elements and returns the array. The caller writes them, then increases {@link length}. */
  reserve(added: number): Values {
    const needed = this.length + added;
    if (needed > this.values.length) {
      const Constructor = this.values.constructor as new (length: number) => Values;
      const length = Math.max(needed, 2 * this.values.length, FIRST_LENGTH);
      this.memory.add((length - this.values.length) * this.values.BYTES_PER_ELEMENT);
      const grown = new Constructor(length);
      grown.set(this.values as never);
      this.values = grown;
    }
    return this.values;
  }

  /** Returns a copy of the first {@link length} elements. */
  taken(): Values {
    return this.values.slice(0, this.length) as Values;
  }
}

/** Collects the null rows of a column. Allocates memory only when the first null is added. */
export class NullRows {
  nullCount = 0;
  readonly #isNull: Growable<Uint8Array>;

  constructor(memory: BatchMemory) {
    this.#isNull = new Growable<Uint8Array>(new Uint8Array(0), memory);
  }

  /** Marks a row as null. Rows must be added in ascending order. */
  add(row: number): void {
    const flags = this.#isNull.reserve(row + 1 - this.#isNull.length);
    this.#isNull.length = row + 1;
    flags[row] = 1;
    this.nullCount++;
  }

  /** Returns the null count and validity bitmap of a column of `length` rows. The bitmap is absent if no row is null. */
  taken(length: number): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
    const { nullCount } = this;
    if (nullCount === 0) return { nullCount };
    const flags = this.#isNull.values;
    return { nullCount, nullBitmap: bitmapOf(length, (row) => flags[row] !== 1) };
  }
}

/** Collects the offsets of a variable-length column. */
export class RowEnds {
  readonly #ends: Growable<Int32Array>;

  constructor(memory: BatchMemory) {
    this.#ends = new Growable<Int32Array>(new Int32Array(0), memory);
  }

  get numRows(): number {
    return this.#ends.length;
  }

  /**
   * Ends a row.
   * @param position Total number of values or bytes in all rows so far, including this row.
   * @param cursor Cursor at the row, for errors. Omit it for a row that cannot exceed the limit, such as a null row.
   */
  end(position: number, cursor?: AvroCursor): void {
    if (position > MAX_POSITION && cursor !== undefined) throw cursor.tooLarge();
    this.#ends.reserve(1)[this.#ends.length++] = position;
  }

  /** Returns the `numRows + 1` offsets, of which the first is 0. */
  taken(): Int32Array {
    const { values, length } = this.#ends;
    const offsets = new Int32Array(length + 1);
    offsets.set(values.subarray(0, length), 1);
    return offsets;
  }
}
