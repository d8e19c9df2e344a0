/** A typed array of numbers with 1, 2, 4 or 8 bytes each. */
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
 * Status of an array kernel. A kernel checks its arguments before it writes, so the target is unchanged unless the status is
 * `ok`.
 */
export const ArrayStatus = {
  ok: 0,
  /**
   * Row splits or ranges are invalid, for example because they end beyond the values. Also used if the stride or `firstBit` is
   * invalid, or if the bitmap is too short.
   */
  badPositions: 1,
  /** The target or `byteSplits` has the wrong length, the types of target and values differ, or the width is not an integer. */
  badTarget: 2,
  /** The result could be longer than 2^31 - 1 bytes, the limit of int32 positions. */
  tooLarge: 3,
} as const;
/** One of the values of {@link ArrayStatus}. */
export type ArrayStatus = (typeof ArrayStatus)[keyof typeof ArrayStatus];

/**
 * Hot loops over Arrow buffers. Each kernel writes its result to the caller's `target`, which may contain old data. Row splits
 * are int32, have length `numRows + 1` and never decrease. In a sliced batch, they may start above 0. Values before the first
 * split and after the last split belong to no row. Inputs and target must not overlap.
 */
export interface ArrayKernels {
  readonly name: "wasm" | "typescript";
  /**
   * Writes the COO indices of list values. The index of a value is its row, counted from 0, and its position in the row.
   * @param target Row-major `[numValues, 2]`.
   */
  cooIndices(rowSplits: Int32Array, target: Int32Array | BigInt64Array): ArrayStatus;
  /**
   * Converts ragged rows to rows of exactly `width` values. Longer rows lose their last values, and shorter rows are padded with
   * `fill`.
   * @param fill A bigint for arrays of 64-bit integers, otherwise a number.
   * @param target Row-major `[numRows, width]`, of the same type as `values`.
   */
  padRows<T extends ValueArray>(
    values: T,
    rowSplits: Int32Array,
    width: number,
    fill: T[number],
    target: T,
  ): ArrayStatus;
  /**
   * Concatenates ranges of values. Range `i` is `starts[i]` to `ends[i]` (exclusive). Ranges may be in any order, and may repeat
   * and overlap.
   * @param stride Number of array elements per value. Bounds count values, not elements.
   * @param target Of the same type as `values`. Its length is the total length of all ranges, times `stride`.
   */
  gatherRanges<T extends ValueArray>(
    values: T,
    stride: number,
    starts: Uint32Array,
    ends: Uint32Array,
    target: T,
  ): ArrayStatus;
  /**
   * Copies the values and replaces each null with `fill`. A value is null if its bit in the Arrow bitmap (LSB first) is 0.
   * @param stride Number of array elements per value. Each value has one bit.
   * @param firstBit Index of the first value's bit. In sliced batches, it may be above 0.
   * @param target Of the same type and length as `values`.
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
   * Encodes rows of int64 as protobuf's packed varints, without tag and length. Row `r` becomes the bytes `byteSplits[r]` to
   * `byteSplits[r + 1]` (exclusive) of `target`. Negative values take ten bytes, as in protobuf's int64.
   * @param target At least ten bytes per value, even if the result is shorter. Bytes after the result may change.
   * @param byteSplits Receives the row splits of `target`. It has the length of `rowSplits`, and its first element becomes 0.
   */
  encodeVarints(
    values: BigInt64Array,
    rowSplits: Int32Array,
    target: Uint8Array,
    byteSplits: Int32Array,
  ): ArrayStatus;
}
