import { bitmapOf } from "@tfxio/arrow-encoding";
import { RecordError } from "@tfxio/wire";
import type { AvroCursor } from "./avro-cursor.js";

type Numbers = Uint8Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

const MAX_POSITION = 2 ** 31 - 1;
const FIRST_LENGTH = 16;

/** Counts and limits the memory of a batch's columns, since a few bytes of input can create many columns of nulls. */
export class BatchMemory {
  numBytes = 0;

  constructor(
    readonly maxBytes: number,
    readonly uri: string,
  ) {}

  /** @throws {RecordError} `limit-exceeded` (`batch-too-large`) before the limit is exceeded. */
  add(numBytes: number): void {
    this.numBytes += numBytes;
    if (this.numBytes <= this.maxBytes) return;
    const message = `${this.uri}: a batch takes more than ${this.maxBytes} bytes. Request smaller batches.`;
    throw new RecordError("limit-exceeded", message, { reason: "batch-too-large", uri: this.uri });
  }
}

/** A typed array that grows by doubling. {@link taken} returns only the numbers added. */
export class Growable<Values extends Numbers> {
  length = 0;

  constructor(
    public values: Values,
    readonly memory: BatchMemory,
  ) {}

  /** Makes room for `added` more numbers. The caller writes them and increases {@link length}. */
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

  taken(): Values {
    return this.values.slice(0, this.length) as Values;
  }
}

/** Collects the null rows of a column. Allocates nothing before the first null. */
export class NullRows {
  nullCount = 0;
  readonly #isNull: Growable<Uint8Array>;

  constructor(memory: BatchMemory) {
    this.#isNull = new Growable<Uint8Array>(new Uint8Array(0), memory);
  }

  add(row: number): void {
    const flags = this.#isNull.reserve(row + 1 - this.#isNull.length);
    this.#isNull.length = row + 1;
    flags[row] = 1;
    this.nullCount++;
  }

  taken(length: number): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
    const { nullCount } = this;
    if (nullCount === 0) return { nullCount };
    const flags = this.#isNull.values;
    return { nullCount, nullBitmap: bitmapOf(length, (row) => flags[row] !== 1) };
  }
}

/** Collects the offsets of a variable-length column: the end of each row's values. */
export class RowEnds {
  readonly #ends: Growable<Int32Array>;

  constructor(memory: BatchMemory) {
    this.#ends = new Growable<Int32Array>(new Int32Array(0), memory);
  }

  get numRows(): number {
    return this.#ends.length;
  }

  /** Ends a row. @param cursor Place of the row, for errors. Absent for a null row, which adds no values. */
  end(position: number, cursor?: AvroCursor): void {
    if (position > MAX_POSITION && cursor !== undefined) throw cursor.tooLarge();
    this.#ends.reserve(1)[this.#ends.length++] = position;
  }

  /** The offsets: int32, one more than there are rows. The first is 0. */
  taken(): Int32Array {
    const { values, length } = this.#ends;
    const offsets = new Int32Array(length + 1);
    offsets.set(values.subarray(0, length), 1);
    return offsets;
  }
}
