// Stores values of fields in their columns, like src/kernels/typescript/store-values.ts.
import { Column, itemOf, NO_ITEM } from "./column";
import { BOOL, FIXED64, VARINT32, VARINT64, ZIGZAG32, ZIGZAG64 } from "./encoding";
import { BATCH_TOO_LARGE, OK, TRUNCATED, VARINT } from "./status";
import { CUT, readVarint, value, TOO_LONG } from "./varint";

/** Stores a varint in an item of a column, according to the encoding. */
// @ts-ignore: decorator
@inline
export function storeVarint(encoding: u32, words: usize, item: u32, bits: u64): void {
  const index = <usize>item;
  if (encoding == VARINT32) store<u32>(words + (index << 2), <u32>bits);
  else if (encoding == VARINT64) store<u64>(words + (index << 3), bits);
  else if (encoding == ZIGZAG32) store<u32>(words + (index << 2), (<u32>bits >> 1) ^ -(<u32>bits & 1));
  else if (encoding == ZIGZAG64) store<u64>(words + (index << 3), (bits >> 1) ^ -(bits & 1));
  else store<u32>(words + (index << 2), bits != 0);
}

/** Stores packed varints in the list of `parent`. In a singular field, only the last one counts. There must be at least one. */
// @ts-ignore: decorator
@inline
export function storePackedVarints(
  column: Column,
  encoding: u32,
  parent: u32,
  start: usize,
  end: usize,
): u32 {
  // Often there is only one varint, which needs no loop.
  const next = end - start <= 8 ? readVarint(start, end) : 0;
  if (next != end) return storeManyVarints(column, encoding, parent, start, end);
  const item = itemOf(column, parent);
  if (item == NO_ITEM) return BATCH_TOO_LARGE;
  storeVarint(encoding, column.words, item, value);
  return OK;
}

function storeManyVarints(column: Column, encoding: u32, parent: u32, start: usize, end: usize): u32 {
  let p = start;
  while (p < end) {
    if (encoding == VARINT32 && end - p >= 16) {
      const next = storeBytes(column, parent, p, end);
      if (next != p) {
        p = next;
        continue;
      }
    }
    let bits = <u64>load<u8>(p);
    if (bits < 0x80) p++;
    else {
      p = readVarint(p, end);
      if (p == CUT) return TRUNCATED;
      if (p == TOO_LONG) return VARINT;
      bits = value;
    }
    const item = itemOf(column, parent);
    if (item == NO_ITEM) return BATCH_TOO_LARGE;
    storeVarint(encoding, column.words, item, bits);
  }
  return OK;
}

/**
 * Stores varints in the open list of `parent`, sixteen at a time, while all sixteen have one byte and the column has room for
 * them. Returns the end of the stored varints.
 */
function storeBytes(column: Column, parent: u32, start: usize, end: usize): usize {
  if (column.lastParent != <i32>parent || !column.isRepeated) return start;
  let p = start;
  while (end - p >= 16 && column.capacity - column.numItems >= 16) {
    const bytes = v128.load(p);
    if (v128.bitmask<i8>(bytes) != 0) break;
    const target = column.words + (<usize>column.numItems << 2);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    v128.store(target, i32x4.extend_low_i16x8_u(low));
    v128.store(target, i32x4.extend_high_i16x8_u(low), 16);
    v128.store(target, i32x4.extend_low_i16x8_u(high), 32);
    v128.store(target, i32x4.extend_high_i16x8_u(high), 48);
    column.numItems += 16;
    p += 16;
  }
  return p;
}

/** Stores packed values of four or eight bytes each, like {@link storePackedVarints}. */
// @ts-ignore: decorator
@inline
export function storePackedFixed(
  column: Column,
  encoding: u32,
  parent: u32,
  start: usize,
  end: usize,
): u32 {
  const shift: usize = encoding == FIXED64 ? 3 : 2;
  const size: usize = (<usize>1) << shift;
  if (((end - start) & (size - 1)) != 0) return TRUNCATED;
  for (let p = start; p < end; p += size) {
    const item = itemOf(column, parent);
    if (item == NO_ITEM) return BATCH_TOO_LARGE;
    const target = column.words + (<usize>item << shift);
    if (shift == 3) store<u64>(target, load<u64>(p));
    else store<u32>(target, load<u32>(p));
    const room = <u32>min<usize>((end - p - size) >> shift, column.capacity - column.numItems);
    if (room == 0 || !column.isRepeated) continue;
    memory.copy(target + size, p + size, <usize>room << shift);
    column.numItems += room;
    p += <usize>room << shift;
  }
  return OK;
}
