import { assertArgument, aUint8Array } from "@tfxio/wire/checks";
import { aListOfUint8Arrays, anInt32Array } from "../argument-rules.js";

/**
 * Byte strings in one contiguous buffer, as in a Binary or Utf8 column. There is no object per value. Value `i` consists of the
 * bytes from `data[offsets[i]]` to `data[offsets[i + 1]]` (exclusive). Text is not decoded, so it stays UTF-8 bytes.
 */
export class BytesColumn {
  /**
   * Borrows both arrays.
   * @param data The bytes of all values. There may be unused bytes before the first value and after the last.
   * @param offsets int32, length `numValues + 1`, never decreasing. The first may be above 0. The constructor checks only
   *   the type of the array.
   */
  constructor(
    readonly data: Uint8Array,
    readonly offsets: Int32Array,
  ) {
    assertArgument("data", data, aUint8Array);
    assertArgument("offsets", offsets, anInt32Array);
  }

  /** Copies `values` into one buffer. */
  static from(values: readonly Uint8Array[]): BytesColumn {
    assertArgument("values", values, aListOfUint8Arrays);
    const offsets = new Int32Array(values.length + 1);
    values.forEach((value, index) => {
      offsets[index + 1] = (offsets[index] as number) + value.length;
    });
    const data = new Uint8Array(offsets[values.length] as number);
    values.forEach((value, index) => data.set(value, offsets[index]));
    return new BytesColumn(data, offsets);
  }

  /** Number of values. */
  get length(): number {
    return this.offsets.length - 1;
  }

  /** Returns value `index` as a view of {@link data}. Do not write to the view. */
  get(index: number): Uint8Array {
    return this.data.subarray(this.offsets[index], this.offsets[index + 1]);
  }

  /** Returns the values from `start` to `end` (exclusive) as a column that shares memory with this column. */
  subarray(start: number, end: number): BytesColumn {
    return new BytesColumn(this.data, this.offsets.subarray(start, end + 1));
  }

  /** Returns every value as a view of {@link data}. */
  toArray(): Uint8Array[] {
    return Array.from({ length: this.length }, (_, index) => this.get(index));
  }
}
