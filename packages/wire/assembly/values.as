// Appending values to a column. Every function takes bounds that were checked, and reserves before it writes.
import { Column } from "./column";
import { reserveBytes, reserveValues } from "./column-growth";
import { LONG, readLength, scanned, shortLength, shortSize } from "./scan";
import { TAG_1 } from "./wire-tags";

/** What appending came to. */
export const APPENDED: u32 = 0;
/** Not the plain form that the fast path knows, or malformed: the careful path tells which. */
export const UNUSUAL: u32 = 1;
/** The column would pass int32 offsets, or memory was refused. */
export const TOO_LARGE: u32 = 2;

/** Appends the little-endian floats from `start` to `end`, a multiple of 4 bytes. */
// @ts-ignore: decorator
@inline
export function appendFloats(column: Column, start: usize, end: usize): u32 {
  const length = <u32>(end - start);
  const count = length >> 2;
  const index = column.numValues;
  if (index + count > column.valueCapacity && !reserveValues(column, count)) return TOO_LARGE;
  const target = column.values + (<usize>index << 2);
  if (length == 4) store<u32>(target, load<u32>(start));
  else if (length > 0) copy(target, start, length);
  column.numValues = index + count;
  return APPENDED;
}

/** Appends one value of a bytes column: the bytes from `start` to `end`. */
// @ts-ignore: decorator
@inline
export function appendBytes(column: Column, start: usize, end: usize): u32 {
  const length = <u32>(end - start);
  const index = column.numValues;
  const used = column.numBytes;
  if (index == column.valueCapacity && !reserveValues(column, 1)) return TOO_LARGE;
  // Both are below 2^31, so the sum is right. A byte more than needed: then there is memory even for no bytes.
  if (used + length >= column.valueBytes && !reserveBytes(column, length)) return TOO_LARGE;
  copy(column.values + used, start, length);
  column.numBytes = used + length;
  store<u32>(column.valueOffsets + (<usize>index << 2), used + length, 4);
  column.numValues = index + 1;
  return APPENDED;
}

/** Appends the values of a BytesList whose fields are all `value`. */
export function appendBytesList(column: Column, start: usize, end: usize): u32 {
  let p = start;
  while (p < end) {
    if (load<u8>(p++) != TAG_1) return UNUSUAL;
    let length = shortLength(p);
    if (length == LONG) {
      p = readLength(p, end);
      if (p == 0) return UNUSUAL;
      length = scanned;
    } else {
      const size = shortSize(length);
      if (length + size > <u32>(end - p)) return UNUSUAL;
      p += size;
    }
    const result = appendBytes(column, p, p + length);
    if (result != APPENDED) return result;
    p += length;
  }
  return APPENDED;
}

/** Copies whole vectors: up to fifteen bytes too many are read and written, all within slack. */
// @ts-ignore: decorator
@inline
function copy(target: usize, source: usize, length: u32): void {
  v128.store(target, v128.load(source));
  if (length > 16) copyMore(target, source, length);
}

function copyMore(target: usize, source: usize, length: u32): void {
  if (length > 256) {
    memory.copy(target, source, length);
    return;
  }
  for (let i: usize = 16; i < length; i += 16) v128.store(target + i, v128.load(source + i));
}

/**
 * Appends the varints that fill `start` to `end`; bits above 64 are lost, as in protobuf. Looks at sixteen bytes at a
 * time: the high bits tell where each varint ends, and one of up to eight bytes is packed in a word by shifting.
 */
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
    // A bit for each last byte of a varint.
    let lasts = ~<u32>i8x16.bitmask(bytes) & inside;
    if (lasts == 0xffff) {
      widen(target, bytes);
      target += 128;
      p += 16;
      continue;
    }
    if (lasts == 0) return UNUSUAL;
    let at: u32 = 0;
    do {
      const last = ctz(lasts);
      const size = last - at + 1;
      if (size <= 8) store<u64>(target, packed(load<u64>(p + at) << (64 - (<u64>size << 3)) >> (64 - (<u64>size << 3))));
      else if (size <= 10) store<u64>(target, longVarint(p + at, size));
      else return UNUSUAL;
      target += 8;
      at = last + 1;
      lasts &= lasts - 1;
    } while (lasts != 0);
    p += at;
  }
  column.numValues = <u32>((target - column.values) >> 3);
  return APPENDED;
}

/** Bytes of `start` to `end` that end a varint. */
function countVarints(start: usize, end: usize): u32 {
  let count: u32 = 0;
  let p = start;
  for (; end - p >= 16; p += 16) count += popcnt(~<u32>i8x16.bitmask(v128.load(p)) & 0xffff);
  const inside: u32 = (1 << <u32>(end - p)) - 1;
  return count + popcnt(~<u32>i8x16.bitmask(v128.load(p)) & inside);
}

/** Seven bits of each of eight bytes, side by side. */
// @ts-ignore: decorator
@inline
export function packed(word: u64): u64 {
  let bits = word & 0x7f7f_7f7f_7f7f_7f7f;
  bits = ((bits & 0x7f00_7f00_7f00_7f00) >> 1) | (bits & 0x007f_007f_007f_007f);
  bits = ((bits & 0x3fff_0000_3fff_0000) >> 2) | (bits & 0x0000_3fff_0000_3fff);
  return ((bits & 0x0fff_ffff_0000_0000) >> 4) | (bits & 0x0fff_ffff);
}

/** A varint of nine or ten bytes. */
// @ts-ignore: decorator
@inline
function longVarint(p: usize, size: u32): u64 {
  const bits = packed(load<u64>(p)) | (<u64>(load<u8>(p, 8) & 0x7f) << 56);
  return size == 9 ? bits : bits | (<u64>load<u8>(p, 9) << 63);
}

/** Sixteen bytes to sixteen int64. */
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

