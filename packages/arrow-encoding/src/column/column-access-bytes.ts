import { assertArgument, aUint8Array } from "@tfxio/wire/checks";
import { aListOfUint8Arrays, anInt32Array } from "../argument-rules.js";

/**
 * Byte strings in one contiguous buffer, without an object per value, as in a Binary or Utf8 column. Value `i` is
 * `data[offsets[i]]` to `data[offsets[i + 1]]` (exclusive). Text is not decoded; it stays UTF-8 bytes.
 */
export class BytesColumn {
  /**
   * Borrows both arrays.
   * @param data bytes of all values. It may contain more bytes before the first value and after the last.
   * @param offsets int32, length `numValues + 1`, never decreasing. The first may be above 0.
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

  /** Value `index` as a view of {@link data}; do not write to it. */
  get(index: number): Uint8Array {
    return this.data.subarray(this.offsets[index], this.offsets[index + 1]);
  }

  /** Values `start` to `end` (exclusive), sharing memory with this column. */
  subarray(start: number, end: number): BytesColumn {
    return new BytesColumn(this.data, this.offsets.subarray(start, end + 1));
  }

  /** Every value as a view, like {@link get}. */
  toArray(): Uint8Array[] {
    return Array.from({ length: this.length }, (_, index) => this.get(index));
  }
}
