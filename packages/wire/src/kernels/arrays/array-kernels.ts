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
 * Result of an array kernel. Everything is checked before the first byte is written, so the target is unchanged unless the status
 * is `ok`.
 */
export const ArrayStatus = {
  ok: 0,
  /** Row splits or ranges decrease, start below 0 or end beyond the values, or the bitmap is too short. */
  badPositions: 1,
  /** The target has the wrong length, or another type than the values. */
  badTarget: 2,
  /** The result may exceed 2^31 - 1 bytes, the limit of int32 positions. */
  tooLarge: 3,
} as const;
/** @see {@link ArrayStatus} */
export type ArrayStatus = (typeof ArrayStatus)[keyof typeof ArrayStatus];

/**
 * Hot loops over Arrow buffers. Each fills the caller's `target`, which may contain old data, and allocates nothing. Row splits
 * are int32, have length `numRows + 1` and never decrease. In a slice they start above 0: values before the first split and after
 * the last belong to no row. Inputs and target must not overlap.
 */
export interface ArrayKernels {
  readonly name: "wasm" | "typescript";
  /**
   * COO indices of list values. For each value: its row, counted from 0, and its position in the row.
   * @param target row-major `[numValues, 2]`.
   */
  cooIndices(rowSplits: Int32Array, target: Int32Array | BigInt64Array): ArrayStatus;
  /**
   * Rows of exactly `width` values. Longer rows are cut off at their end; shorter rows are padded with `fill`.
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
   * Concatenates the values `starts[i]` to `ends[i]` (exclusive) of each range, as take, filter and gather need. Ranges may
   * repeat and overlap, in any order.
   * @param stride array elements per value.
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
   * Copies the values and replaces each null by `fill`. A value is null if its bit in the Arrow bitmap (LSB first) is 0.
   * @param stride array elements per value. Each value has one bit.
   * @param firstBit bit of the first value; not 0 in slices.
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
   * Encodes rows of int64 as protobuf's packed varints, without tag and length. Row `r` becomes the bytes `byteSplits[r]` to
   * `byteSplits[r + 1]` (exclusive) of `target`. Negative values take ten bytes, as in protobuf's int64.
   * @param target at least ten bytes per value, regardless of the values. Bytes after the result may change.
   * @param byteSplits of the length of `rowSplits`; starts with 0.
   */
  encodeVarints(
    values: BigInt64Array,
    rowSplits: Int32Array,
    target: Uint8Array,
    byteSplits: Int32Array,
  ): ArrayStatus;
}
