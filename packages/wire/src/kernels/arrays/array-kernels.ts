/** Arrays of numbers, of 1, 2, 4 or 8 bytes each. */
export type ValueArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/**
 * What a kernel over arrays came to. Everything is checked before the first byte is written: on another status than
 * `ok` the target is as it was.
 */
export const ArrayStatus = {
  ok: 0,
  /** Row splits or ranges decrease, begin below 0 or reach behind the values, or the bitmap ends before them. */
  badPositions: 1,
  /** The target is not of the length that the result takes, or not of the values' type. */
  badTarget: 2,
  /** The result may pass the 2^31 - 1 bytes that int32 positions reach. */
  tooLarge: 3,
} as const;
/** @see {@link ArrayStatus} */
export type ArrayStatus = (typeof ArrayStatus)[keyof typeof ArrayStatus];

/**
 * Hot loops over Arrow buffers. Each fills a `target` that the caller has, new or used before, and allocates nothing.
 * Row splits are int32, one more than there are rows, never decreasing; in a slice they begin above 0, and what lies
 * before the first and behind the last belongs to no row. Inputs and target must not overlap.
 */
export interface ArrayKernels {
  readonly name: "wasm" | "typescript";
  /**
   * COO indices of lists: row, counted from 0, and position in the row, of each value.
   * @param target row-major `[numValues, 2]`.
   */
  cooIndices(rowSplits: Int32Array, target: Int32Array | BigInt64Array): ArrayStatus;
  /**
   * Rows of exactly `width` values: what a row has too many is cut off at its end, what it lacks is `fill`.
   * @param fill bigint for arrays of 64-bit integers.
   * @param target row-major `[numRows, width]`, of the values' type.
   */
  padRows<T extends ValueArray>(
    values: T,
    rowSplits: Int32Array,
    width: number,
    fill: T[number],
    target: T,
  ): ArrayStatus;
  /**
   * Values `starts[i]` to `ends[i]` (exclusive) of each range, one after the other: what take, filter and gather come
   * to. Ranges may repeat and overlap, in any order.
   * @param stride array elements that make one value.
   * @param target of the values' type, as long as all ranges together.
   */
  gatherRanges<T extends ValueArray>(
    values: T,
    stride: number,
    starts: Uint32Array,
    ends: Uint32Array,
    target: T,
  ): ArrayStatus;
  /**
   * The values, those replaced by `fill` whose bit in an Arrow bitmap (LSB first, 1 = present) is 0.
   * @param stride array elements that make one value, and have one bit.
   * @param firstBit the first value's: not 0 in slices.
   * @param target of the values' type and length.
   */
  fillNulls<T extends ValueArray>(
    values: T,
    stride: number,
    validity: Uint8Array,
    firstBit: number,
    fill: T[number],
    target: T,
  ): ArrayStatus;
  /**
   * Rows of int64 as protobuf's packed varints, without tag and length: those of row `r` are the bytes `byteSplits[r]`
   * to `byteSplits[r + 1]` (exclusive) of `target`. Negative values take ten bytes, as protobuf has it for int64.
   * @param target at least ten bytes for each value, whatever the values are; what lies behind the result may change.
   * @param byteSplits of the length of `rowSplits`; begins with 0.
   */
  encodeVarints(
    values: BigInt64Array,
    rowSplits: Int32Array,
    target: Uint8Array,
    byteSplits: Int32Array,
  ): ArrayStatus;
}
