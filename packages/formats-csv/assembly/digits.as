// Converts up to sixteen digits at once. Text is loaded so that its last byte is in the last lane, whatever its length.

const ZERO: u32 = 0x30;
const POINT: u32 = 0x2e;
/** Number of digits that fit in a vector. */
export const MAX_LANES: usize = 16;
const LANES: v128 = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
/**
 * 0xff bytes between zeros. A vector loaded at offset n has 0xff in its last n lanes. A vector loaded at offset 31 - k has 0xff
 * in its first k + 1 lanes.
 */
const ONES: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/**
 * The digit values of the `length` bytes (1 to 16) before `end`, in the last lanes. The lanes before them are 0. A byte that is
 * not a digit has a value above 9.
 */
// @ts-ignore: decorator
@inline
export function digitLanes(end: usize, length: usize): v128 {
  const lanes = i8x16.sub(v128.load(end - MAX_LANES), i8x16.splat(<i8>ZERO));
  return v128.and(lanes, v128.load(ONES + length));
}

/** A bit for each lane that is not a digit. */
// @ts-ignore: decorator
@inline
export function otherLanes(lanes: v128): u32 {
  return i8x16.bitmask(i8x16.gt_u(lanes, i8x16.splat(9)));
}

/** True if `others` marks only one lane, and its byte is a decimal point. */
// @ts-ignore: decorator
@inline
export function isPoint(others: u32, end: usize): bool {
  return (others & (others - 1)) == 0 && load<u8>(end - MAX_LANES + ctz(others)) == POINT;
}

/** Removes one lane. The lanes before it move one place towards the end, and the first lane becomes 0. */
// @ts-ignore: decorator
@inline
export function withoutLane(lanes: v128, lane: usize): v128 {
  return i8x16.swizzle(lanes, i8x16.add(LANES, v128.load(ONES + 31 - lane)));
}

/** The value of sixteen digits. Joins digits into pairs, pairs into fours, and fours into eights. */
// @ts-ignore: decorator
@inline
export function valueOfLanes(digits: v128): u64 {
  const tens = i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10));
  const pairs = i16x8.add(tens, i16x8.shr_u(digits, 8));
  const fours = i32x4.dot_i16x8_s(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const packed = i16x8.narrow_i32x4_s(fours, fours);
  const eights = i32x4.dot_i16x8_s(packed, i16x8(10000, 1, 10000, 1, 10000, 1, 10000, 1));
  const head = <u64>(<u32>i32x4.extract_lane(eights, 0));
  return head * 100000000 + <u64>(<u32>i32x4.extract_lane(eights, 1));
}
