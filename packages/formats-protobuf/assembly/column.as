// One field of one message type at one position in the tree of messages. `Column` of src/kernels/typescript/column.ts explains
// how columns work. The host accesses members of the class below as 32-bit words, by the indices in `ColumnWord` of
// src/kernels/wasm/kernel-exports.ts.
import { replaceBytes } from "./budget";
import { BYTES, wordsPerValue } from "./encoding";
import { abandon, allocate, copyText } from "./memory";
import { MessagePlan } from "./message-plan";

/** Initial capacity of a column in items. */
const INITIAL_ITEMS: u32 = 64;
/** Returned in place of an item if the batch is too large. */
export const NO_ITEM: u32 = 0xffff_ffff;

@unmanaged
export class Column {
  /** Index of the last parent whose start is in `starts`; -1 if there is none. */
  lastParent: i32;
  numItems: u32;
  starts: usize;
  words: usize;
  data: usize;
  encoding: u32;
  isRepeated: u32;
  /** Plan of the items if they are messages, else 0. */
  message: usize;
  /** Number of items that fit. For messages, the number of items whose memory is already counted against the budget. */
  capacity: u32;
  /** Length of `starts` in entries. */
  startsLength: u32;
  /** Length of `words` in entries. */
  wordsLength: u32;
  /** Length of `data` in bytes. */
  dataLength: u32;
}

/** Allocates the initial memory of a column; false when memory runs out. */
export function layColumn(column: Column): bool {
  column.lastParent = -1;
  column.capacity = INITIAL_ITEMS;
  column.startsLength = INITIAL_ITEMS;
  column.wordsLength = column.message != 0 ? 0 : INITIAL_ITEMS * wordsPerValue(column.encoding) + 1;
  return layBlocks(column);
}

/** Allocates the blocks of an empty column, whose members already state the lengths; false when memory runs out. */
export function layBlocks(column: Column): bool {
  column.starts = allocate(<u64>column.startsLength << 2);
  if (column.starts == 0) return false;
  if (column.wordsLength > 0) {
    column.words = allocate(<u64>column.wordsLength << 2);
    if (column.words == 0) return false;
    // The first byte string begins at offset 0.
    store<u32>(column.words, 0);
  }
  if (column.dataLength > 0) {
    column.data = allocate(column.dataLength);
    if (column.data == 0) return false;
  }
  return true;
}

/** The item for the next value of `parent`; {@link NO_ITEM} if the batch is too large. */
// @ts-ignore: decorator
@inline
export function itemOf(column: Column, parent: u32): u32 {
  const numItems = column.numItems;
  if (column.lastParent != <i32>parent) {
    if (!openList(column, parent, numItems)) return NO_ITEM;
  } else if (!column.isRepeated) return numItems - 1;
  column.numItems = numItems + 1;
  if (numItems >= column.capacity && !growItems(column, numItems + 1)) return NO_ITEM;
  return numItems;
}

// @ts-ignore: decorator
@inline
function openList(column: Column, parent: u32, numItems: u32): bool {
  if (parent >= column.startsLength && !growStarts(column, parent + 1)) return false;
  const starts = column.starts;
  let index = <u32>(column.lastParent + 1);
  do {
    store<u32>(starts + (<usize>index << 2), numItems);
    index++;
  } while (index <= parent);
  column.lastParent = <i32>parent;
  return true;
}

/** Copies the bytes from `start` to `end` into an item from {@link itemOf}; false if the batch is too large. */
// @ts-ignore: decorator
@inline
export function setBytes(column: Column, item: u32, start: usize, end: usize): bool {
  const offset = column.words + (<usize>item << 2);
  const from = load<u32>(offset);
  const length = <u32>(end - start);
  const until = <u64>from + length;
  if (until > column.dataLength && !growData(column, until, from)) return false;
  store<u32>(offset, <u32>until, 4);
  if (length > 0) copyText(column.data + from, start, length);
  return true;
}

/** Sets the default if `parent` lacks the field; false if the batch is too large. */
export function setDefault(column: Column, parent: u32): bool {
  if (column.lastParent == <i32>parent) return true;
  const item = itemOf(column, parent);
  if (item == NO_ITEM) return false;
  if (column.encoding == BYTES) {
    const offset = column.words + (<usize>item << 2);
    store<u32>(offset, load<u32>(offset), 4);
    return true;
  }
  const size = <usize>wordsPerValue(column.encoding) << 2;
  memory.fill(column.words + <usize>item * size, 0, size);
  return true;
}

/** Drops the items of all parents from `numParents` on, and everything below them. */
export function truncate(column: Column, numParents: i32): void {
  if (column.lastParent < numParents) return;
  const numItems = load<u32>(column.starts + (<usize>numParents << 2));
  column.numItems = numItems;
  column.lastParent = numParents - 1;
  if (column.message == 0) return;
  const message = changetype<MessagePlan>(column.message);
  for (let index: u32 = 0; index < message.numColumns; index++) {
    truncate(message.columnAt(index), <i32>numItems);
  }
}

function growStarts(column: Column, needed: u32): bool {
  const length = max<u64>(needed, <u64>column.startsLength * 2);
  const starts = grown(column.starts, column.startsLength, length, <u32>(column.lastParent + 1));
  if (starts == 0) return false;
  column.starts = starts;
  column.startsLength = <u32>length;
  return true;
}

function growItems(column: Column, numItems: u32): bool {
  if (column.message != 0) return allowItems(column);
  const width = wordsPerValue(column.encoding);
  const length = max<u64>(<u64>numItems * width + 1, <u64>column.wordsLength * 2);
  const words = grown(column.words, column.wordsLength, length, column.wordsLength);
  if (words == 0) return false;
  column.words = words;
  column.wordsLength = <u32>length;
  column.capacity = (<u32>length - 1) / width;
  return true;
}

/**
 * Doubles the capacity of a message column, and counts the memory against the budget. A message column has no `words`, but each
 * message needs an offset in every column directly below it.
 */
function allowItems(column: Column): bool {
  const numColumns = changetype<MessagePlan>(column.message).numColumns;
  const bytesPerItem = <i64>max<u32>(1, numColumns) * 4;
  const capacity = <i64>column.capacity;
  if (!replaceBytes(capacity * bytesPerItem, capacity * 2 * bytesPerItem)) return false;
  column.capacity *= 2;
  return true;
}

function growData(column: Column, needed: u64, used: u32): bool {
  const length = max<u64>(max<u64>(needed, <u64>column.dataLength * 2), INITIAL_ITEMS);
  if (!replaceBytes(column.dataLength, <i64>length)) return false;
  const data = allocate(length);
  if (data == 0) return false;
  memory.copy(data, column.data, used);
  abandon();
  column.data = data;
  column.dataLength = <u32>length;
  return true;
}

/**
 * Copies the first `used` words of `block` to a new block of `length` words. Returns the address of the new block, or 0 if the
 * budget or the memory is exhausted.
 * @param oldLength Length of `block` in words.
 */
function grown(block: usize, oldLength: u32, length: u64, used: u32): usize {
  if (!replaceBytes(<i64>oldLength * 4, <i64>length * 4)) return 0;
  const address = allocate(length << 2);
  if (address == 0) return 0;
  memory.copy(address, block, <usize>used << 2);
  abandon();
  return address;
}
