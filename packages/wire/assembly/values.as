// Appends values to a column. Every function takes checked bounds, and reserves memory before it writes.
import { Column } from "./column";
import { reserveBytes, reserveValues } from "./column-growth";
import { LONG, readLength, scanned, shortLength, shortSize } from "./scan";
import { TAG_1 } from "./wire-tags";

/** Result of appending. */
export const APPENDED: u32 = 0;
/** The values are malformed, or not in the form that the fast path knows. The strict path decides. */
export const UNUSUAL: u32 = 1;
/** The column would exceed int32 offsets or `MAX_STEPS`, or memory ran out. */
export const TOO_LARGE: u32 = 2;

/** Appends the little-endian floats from `start` to `end`. `end - start` must be a multiple of 4. */
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
  // `used` and `length` are below 2^31, so the sum does not overflow. Reserve one more byte, so that even an empty value has
  // memory.
  if (used + length >= column.valueBytes && !reserveBytes(column, length)) return TOO_LARGE;
  copy(column.values + used, start, length);
  column.numBytes = used + length;
  store<u32>(column.valueOffsets + (<usize>index << 2), used + length, 4);
  column.numValues = index + 1;
  return APPENDED;
}

/** Appends the values of a BytesList, whose fields must all be `value`. */
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

/**
 * Copies bytes. Up to 256 are copied as whole vectors. This reads and writes up to sixteen bytes too many, within the slack (see
 * arena.as).
 */
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
