// The head of an entry is everything before its values: tags, lengths and the name. If an entry begins with the head of an
// earlier entry of its column, then both entries have the same length, and their values begin at the same offset. So the later
// entry need not be parsed. Many records consist of such entries, since many values are as long as the previous one.
import { Column } from "./column";
import { commit } from "./column-rows";
import { firstByHash, isInOrder, previous, resume } from "./column-table";
import { packed } from "./varints";
import { TAG_1, TAG_3 } from "./wire-tags";

const HEAD: usize = offsetof<Column>("head0");
/** Maximum size of a head in bytes: three vectors. */
const MOST_HEAD: u32 = 48;
/** Maximum size in bytes of a byte string or list of floats that `appendValue` accepts. It accepts a varint of up to 8 bytes. */
const MOST_VALUE: u32 = 32;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
/** Scratch address for a value offset that is not needed. */
const NOWHERE: usize = memory.data(8, 8);

/** The column whose missing rows made `passKnown` stop at its entry; else 0. */
export let gapped: usize = 0;

/**
 * Remembers the head of the plain entry from `start` to `end`, whose first value is at `value`. Keeps the old head if the new one
 * is too long, or if the column's entry had another size at the previous call.
 */
// @ts-ignore: decorator
@inline
export function rememberHead(column: Column, start: usize, value: usize, end: usize): void {
  const entrySize = <u32>(end - start);
  const size = <u32>(value - start);
  if (entrySize != column.lastSize || size > MOST_HEAD) {
    column.lastSize = entrySize;
    return;
  }
  column.entrySize = entrySize;
  column.headSize = size;
  column.headLast = max(size, 16) - 16;
  column.headIgnored = size < 16 ? 0xffff & (0xffff_ffff << size) : 0;
  const head = changetype<usize>(column) + HEAD;
  v128.store(head, v128.load(start));
  v128.store(head, v128.load(start, 16), 16);
  v128.store(head, v128.load(start, 32), 32);
}

/**
 * Beginning at `start`, appends entries to `row` as long as each has the head that its column remembers, and a value that fits.
 * Returns the position after them, and sets `gapped`. The functions that the loop usually calls are inlined, so that everything
 * stays in registers. Few branches depend on the data, since they would be unpredictable with names in any order.
 */
export function passKnown(start: usize, end: usize, row: u32): usize {
  let p = start;
  let before = previous;
  let isExpected = isInOrder;
  let address: usize = 0;
  for (;;) {
    if (isExpected) {
      address = changetype<Column>(before).successor;
      if (hasHead(changetype<Column>(address), p, end)) {
        if (!appendValue(changetype<Column>(address), p, row)) break;
        p += changetype<Column>(address).entrySize;
        before = address;
        continue;
      }
      if (load<u16>(p, 2) == load<u16>(address + HEAD, 2) && load<u32>(p, 4) == load<u32>(address + HEAD, 4)) {
        // This seems to be the expected name, so something else has changed.
        address = 0;
        break;
      }
    }
    address = columnByHead(p, end);
    if (address == 0 || !appendValue(changetype<Column>(address), p, row)) break;
    isExpected = changetype<Column>(before).successor == address;
    changetype<Column>(before).successor = address;
    before = address;
    // The sum equals `column.entrySize`, but is computed from the entry, so that the processor need not wait for the lookup of
    // the column.
    p += 2 + <usize>load<u8>(p, 1);
  }
  gapped = address != 0 && changetype<Column>(address).row < row ? address : 0;
  resume(before, isExpected);
  return p;
}

/** The column of the short entry at `p`, if the entry begins with the head of that column; else 0. */
// @ts-ignore: decorator
@inline
function columnByHead(p: usize, end: usize): usize {
  const word = load<u32>(p);
  const keyLength = word >> 24;
  // Tag and length of the entry, then of its key.
  if ((word & 0x80ff_80ff) != 0x000a_000a || keyLength + 4 > <u32>(end - p)) return 0;
  const address = firstByHash(p + 4, keyLength);
  return address != 0 && hasHead(changetype<Column>(address), p, end) ? address : 0;
}

/** True if the entry at `p` begins with the head of the column and ends by `end`. */
// @ts-ignore: decorator
@inline
function hasHead(column: Column, p: usize, end: usize): bool {
  const head = changetype<usize>(column) + HEAD;
  // Vectors overlap if the head has fewer than 48 bytes.
  const last = <usize>column.headLast;
  const middle = min(last, 16);
  const first = i8x16.eq(v128.load(p), v128.load(head));
  const second = i8x16.eq(v128.load(p + middle), v128.load(head + middle));
  const third = i8x16.eq(v128.load(p + last), v128.load(head + last));
  const equal = <u32>i8x16.bitmask(v128.and(v128.and(first, second), third)) | column.headIgnored;
  return <bool>(<u32>(equal == 0xffff) & <u32>(column.entrySize <= <u32>(end - p)));
}

/** Appends the values of the entry at `p`, which has the head of the column; false if the entry must be parsed. */
// @ts-ignore: decorator
@inline
function appendValue(column: Column, p: usize, row: u32): bool {
  if (column.row != row) return false;
  const value = p + column.headSize;
  const length = column.entrySize - column.headSize;
  const tag = column.listTag;
  const index = column.numValues;
  let count: u32 = 1;
  if (tag == TAG_3) {
    const unused = 64 - (<u64>length << 3);
    const word = load<u64>(value) << unused;
    // All bytes except the last must have the continuation bit.
    const isOne = (word & HIGH_BITS) == ((HIGH_BITS >> 8) >> unused) << unused;
    if (<bool>(<u32>(length > 8) | <u32>(index >= column.valueCapacity) | <u32>!isOne)) return false;
    store<u64>(column.values + (<usize>index << 3), packed(word >> unused));
  } else {
    const isBytes = tag == TAG_1;
    const used = isBytes ? column.numBytes : index << 2;
    count = isBytes ? 1 : length >> 2;
    const isFull = <u32>(index + count > column.valueCapacity) | <u32>(used + length >= column.valueBytes);
    if (<bool>(isFull | <u32>(length > MOST_VALUE))) return false;
    const target = column.values + used;
    v128.store(target, v128.load(value));
    v128.store(target, v128.load(value, 16), 16);
    store<u32>(isBytes ? column.valueOffsets + (<usize>index << 2) : NOWHERE, used + length, 4);
    column.numBytes = isBytes ? used + length : 0;
  }
  column.numValues = index + count;
  commit(column);
  return true;
}
