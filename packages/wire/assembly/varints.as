// Appends varints to an int64 column. Examines windows of sixteen bytes. The high bits show the end of each varint, and the
// longest varint in a window determines how the window is read.
import { Column } from "./column";
import { reserveValues } from "./column-growth";
import { APPENDED, TOO_LARGE, UNUSUAL } from "./values";

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/** Appends the varints that fill `start` to `end`. Bits beyond the 64th are dropped, as in protobuf. */
export function appendVarints(column: Column, start: usize, end: usize): u32 {
  if (column.numValues + <u32>(end - start) > column.valueCapacity) {
    const count = countVarints(start, end);
    if (column.numValues + count > column.valueCapacity && !reserveValues(column, count)) return TOO_LARGE;
  }
  let p = start;
  let target = column.values + (<usize>column.numValues << 3);
  while (p < end) {
    const bytes = v128.load(p);
    const left = end - p;
    const inside: u32 = left < 16 ? (1 << <u32>left) - 1 : 0xffff;
    const highs = <u32>i8x16.bitmask(bytes);
    // A bit for the last byte of each varint.
    const lasts = ~highs & inside;
    if (lasts == 0xffff) {
      widen(target, bytes);
      target += 128;
      p += 16;
      continue;
    }
    if (lasts == 0) return UNUSUAL;
    // Number of bytes of the varints that end in the window.
    const size = 32 - clz(lasts);
    const inner = highs & ((1 << size) - 1);
    // A bit for each byte that begins a run of two, four or eight bytes, none of which ends a varint.
    const pairs = inner & (inner >> 1);
    const fours = pairs & (pairs >> 2);
    const eights = fours & (fours >> 4);
    if (fours == 0) storeShort(target, p, lasts);
    else if (eights == 0) storeMedium(target, p, lasts);
    else if (!storeAny(target, p, lasts)) return UNUSUAL;
    target += <usize>popcnt(lasts) << 3;
    p += size;
    // Long varints often come in runs. Guessing that the next one has nine bytes saves computing where it ends.
    if (eights != 0) {
      while (end - p > 8 && hasNineBytes(p)) {
        store<u64>(target, longVarint(p, 9));
        target += 8;
        p += 9;
      }
    }
  }
  column.numValues = <u32>((target - column.values) >> 3);
  return APPENDED;
}

/** Number of varints that end between `start` and `end`. */
function countVarints(start: usize, end: usize): u32 {
  let count: u32 = 0;
  let p = start;
  for (; end - p >= 16; p += 16) count += popcnt(~<u32>i8x16.bitmask(v128.load(p)) & 0xffff);
  const inside: u32 = (1 << <u32>(end - p)) - 1;
  return count + popcnt(~<u32>i8x16.bitmask(v128.load(p)) & inside);
}

/**
 * Stores the varints at `p`, of up to four bytes each, that end at the bits of `lasts`. Takes four at a time, so it may
 * write up to three numbers too many, and read up to 37 bytes from `p` on. Both are within slack.
 */
// @ts-ignore: decorator
@inline
function storeShort(target: usize, p: usize, lasts: u32): void {
  let bits = lasts;
  let at: usize = 0;
  let to = target;
  do {
    let words = v128.load32_zero(p + at);
    at = <usize>ctz(bits) + 1;
    bits &= bits - 1;
    words = v128.load_lane<u32>(p + at, words, 1);
    at = <usize>ctz(bits) + 1;
    bits &= bits - 1;
    words = v128.load_lane<u32>(p + at, words, 2);
    at = <usize>ctz(bits) + 1;
    bits &= bits - 1;
    words = v128.load_lane<u32>(p + at, words, 3);
    at = <usize>ctz(bits) + 1;
    bits &= bits - 1;
    // All bits up to the first high bit that is not set.
    const stops = v128.andnot(i8x16.splat(-128), words);
    const inside = v128.xor(stops, i32x4.sub(stops, i32x4.splat(1)));
    const values = joinedSevens(v128.and(words, inside));
    v128.store(to, i64x2.extend_low_i32x4_u(values));
    v128.store(to, i64x2.extend_high_i32x4_u(values), 16);
    to += 32;
  } while (bits != 0);
}

/** Like `storeShort`, for varints of up to eight bytes, two at a time. */
// @ts-ignore: decorator
@inline
function storeMedium(target: usize, p: usize, lasts: u32): void {
  let bits = lasts;
  let at: usize = 0;
  let to = target;
  do {
    let words = v128.load64_zero(p + at);
    at = <usize>ctz(bits) + 1;
    bits &= bits - 1;
    words = v128.load_lane<u64>(p + at, words, 1);
    at = <usize>ctz(bits) + 1;
    bits &= bits - 1;
    const stops = v128.andnot(i8x16.splat(-128), words);
    const inside = v128.xor(stops, i64x2.sub(stops, i64x2.splat(1)));
    const halves = joinedSevens(v128.and(words, inside));
    const lower = v128.and(halves, i64x2.splat(0xffff_ffff));
    v128.store(to, v128.or(lower, i64x2.shl(i64x2.shr_u(halves, 32), 28)));
    to += 16;
  } while (bits != 0);
}

/** Joins the low seven bits of the bytes in each group of four. */
// @ts-ignore: decorator
@inline
function joinedSevens(bytes: v128): v128 {
  const sevens = v128.and(bytes, i8x16.splat(0x7f));
  const fourteens = i16x8.sub(sevens, v128.and(i16x8.shr_u(sevens, 1), i16x8.splat(0x3f80)));
  // The first number plus 2^14 times the second.
  return i32x4.dot_i16x8_s(fourteens, i32x4.splat(0x4000_0001));
}

/** Like `storeShort`, for varints of any length, one at a time; false if one has more than ten bytes. */
// @ts-ignore: decorator
@inline
function storeAny(target: usize, p: usize, lasts: u32): bool {
  let bits = lasts;
  let at: u32 = 0;
  let to = target;
  do {
    const last = ctz(bits);
    const size = last - at + 1;
    if (size > 10) return false;
    store<u64>(to, size <= 8 ? shortVarint(p + at, size) : longVarint(p + at, size));
    to += 8;
    at = last + 1;
    bits &= bits - 1;
  } while (bits != 0);
  return true;
}

/** Joins the low seven bits of eight bytes. */
// @ts-ignore: decorator
@inline
export function packed(word: u64): u64 {
  let bits = word & 0x7f7f_7f7f_7f7f_7f7f;
  bits = ((bits & 0x7f00_7f00_7f00_7f00) >> 1) | (bits & 0x007f_007f_007f_007f);
  bits = ((bits & 0x3fff_0000_3fff_0000) >> 2) | (bits & 0x0000_3fff_0000_3fff);
  return ((bits & 0x0fff_ffff_0000_0000) >> 4) | (bits & 0x0fff_ffff);
}

/** The value of a varint of up to eight bytes. */
// @ts-ignore: decorator
@inline
function shortVarint(p: usize, size: u32): u64 {
  const unused = 64 - (<u64>size << 3);
  return packed((load<u64>(p) << unused) >> unused);
}

// @ts-ignore: decorator
@inline
function hasNineBytes(p: usize): bool {
  return (load<u64>(p) & HIGH_BITS) == HIGH_BITS && load<u8>(p, 8) < 128;
}

/** The value of a varint of nine or ten bytes. */
// @ts-ignore: decorator
@inline
function longVarint(p: usize, size: u32): u64 {
  const bits = packed(load<u64>(p)) | (<u64>(load<u8>(p, 8) & 0x7f) << 56);
  return size == 9 ? bits : bits | (<u64>load<u8>(p, 9) << 63);
}

/** Converts sixteen bytes to sixteen int64 numbers. */
// @ts-ignore: decorator
@inline
function widen(target: usize, bytes: v128): void {
  const a = i16x8.extend_low_i8x16_u(bytes);
  const b = i16x8.extend_high_i8x16_u(bytes);
  const a0 = i32x4.extend_low_i16x8_u(a);
  const a1 = i32x4.extend_high_i16x8_u(a);
  const b0 = i32x4.extend_low_i16x8_u(b);
  const b1 = i32x4.extend_high_i16x8_u(b);
  v128.store(target, i64x2.extend_low_i32x4_u(a0));
  v128.store(target, i64x2.extend_high_i32x4_u(a0), 16);
  v128.store(target, i64x2.extend_low_i32x4_u(a1), 32);
  v128.store(target, i64x2.extend_high_i32x4_u(a1), 48);
  v128.store(target, i64x2.extend_low_i32x4_u(b0), 64);
  v128.store(target, i64x2.extend_high_i32x4_u(b0), 80);
  v128.store(target, i64x2.extend_low_i32x4_u(b1), 96);
  v128.store(target, i64x2.extend_high_i32x4_u(b1), 112);
}
