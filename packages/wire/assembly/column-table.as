// The columns of a batch, in order of creation and by name.
import { allocate } from "./arena";
import { Column, isKey, keyOf, NEVER, sizeOfName } from "./column";
import { growRows, rowCapacity, setRowCapacity } from "./column-growth";
import { isLaidBefore, makeColumn } from "./column-memory";

export let numColumns: u32 = 0;
/** The first column created, or 0. */
export let firstColumn: usize = 0;
let lastColumn: usize = 0;
/** A sentinel column that no name matches. It precedes the first column and follows the last. */
let root: usize = 0;
/** The column of the last entry. Its successor is expected next. */
export let previous: usize = 0;
/**
 * True if `previous` was the expected column or the one after it. Otherwise, names seem to come in no fixed order, and finding
 * columns by hash is faster than trying the expected one.
 */
export let isInOrder: bool = false;
/** Open addressing: each slot holds the address of a column, or 0 if free. */
let slots: usize = 0;
let slotMask: u32 = 0;
let seed: u64 = 0;
let secondSeed: u64 = 0;
/** True if whole names are hashed, because many names of equal length are alike at both ends. */
let isHashedWhole: bool = false;
/** Maximum number of failed probes. If a name needs more, whole names are hashed. */
const MOST_PROBES: u32 = 8;

/** Sets the secret random numbers of the hash, so that nobody can craft colliding names. The numbers affect no result. */
export function setSeed(value: u64): void {
  seed = value;
  secondSeed = value * 0x9e37_79b9_7f4a_7c15 + 1;
}

/** Starts a table without columns; false if memory runs out. */
export function startTable(): bool {
  numColumns = 0;
  firstColumn = 0;
  lastColumn = 0;
  root = makeColumn(0, 0, 0, 0);
  if (root == 0) return false;
  const sentinel = changetype<Column>(root);
  sentinel.keyLength = NEVER;
  sentinel.successor = root;
  previous = root;
  isHashedWhole = false;
  return laySlots(1024);
}

/** Starts a record: the column after the sentinel is expected next. */
// @ts-ignore: decorator
@inline
export function startRecord(): void {
  previous = root;
}

/** Adds a column; 0 when memory runs out. */
export function addColumn(key: usize, length: u32, role: u32, kind: u32): usize {
  // Keep the table so sparse that nearly every name is in the first slot probed.
  if (numColumns * 16 >= slotMask && !laySlots((slotMask + 1) * 2)) return 0;
  const address = makeColumn(key, length, role, kind);
  if (address == 0) return 0;
  const column = changetype<Column>(address);
  column.successor = root;
  if (lastColumn == 0) {
    firstColumn = address;
    changetype<Column>(root).successor = address;
  } else {
    const before = changetype<Column>(lastColumn);
    before.next = address;
    if (before.successor == root) before.successor = address;
  }
  lastColumn = address;
  numColumns++;
  if (!place(column)) {
    isHashedWhole = true;
    placeAll();
  }
  previous = address;
  return address;
}

/** Removes the columns added last, so that `count` remain. */
export function truncate(count: u32): void {
  if (count == numColumns) return;
  // Newer columns come last in their runs of slots. So freeing the newest ones breaks no search for an older one.
  let last: usize = 0;
  let address = firstColumn;
  for (let i: u32 = 0; i < numColumns; i++) {
    const column = changetype<Column>(address);
    const next = column.next;
    if (i < count) {
      last = address;
      column.successor = next == 0 || i + 1 == count ? root : next;
    } else {
      free(address);
    }
    address = next;
  }
  changetype<Column>(root).successor = count == 0 ? root : firstColumn;
  if (last == 0) firstColumn = 0;
  else changetype<Column>(last).next = 0;
  lastColumn = last;
  numColumns = count;
  previous = root;
}

/** Records the column of the last consumed entry, and whether it was the expected column. */
export function resume(address: usize, wasExpected: bool): void {
  previous = address;
  isInOrder = wasExpected;
}

/**
 * The column of a name, or 0. While names come in order, tries the expected column, then the one after it, since a feature
 * may be missing. Otherwise finds the column by hash, and makes it the successor of the previous column.
 */
// @ts-ignore: decorator
@inline
export function columnOf(key: usize, length: u32): usize {
  const expected = changetype<Column>(previous).successor;
  let address = expected;
  if (!isInOrder || !isKey(changetype<Column>(expected), key, length)) {
    address = afterMiss(expected, key, length);
    if (address == 0) return 0;
  }
  previous = address;
  return address;
}

function afterMiss(expected: usize, key: usize, length: u32): usize {
  if (isInOrder) {
    const second = changetype<Column>(expected).successor;
    if (isKey(changetype<Column>(second), key, length)) return second;
  }
  const address = find(key, length);
  isInOrder = address == expected;
  if (address != 0) changetype<Column>(previous).successor = address;
  return address;
}

function find(key: usize, length: u32): usize {
  let slot = hashOf(key, length) & slotMask;
  let address = load<usize>(slots + (<usize>slot << 2));
  while (address != 0 && !isKey(changetype<Column>(address), key, length)) {
    slot = (slot + 1) & slotMask;
    address = load<usize>(slots + (<usize>slot << 2));
  }
  return address;
}

/** Content of the first slot for a name: usually its column, else another column or 0. Reads at least eight bytes. */
// @ts-ignore: decorator
@inline
export function firstByHash(key: usize, length: u32): usize {
  return load<usize>(slots + (<usize>(hashOf(key, length) & slotMask) << 2));
}

/** Gives every column room for `needed` rows, at least doubling the capacity; false if a limit is exceeded or memory runs out. */
export function growAllRows(needed: u32): bool {
  if (needed >= 0x4000_0000) return false;
  const capacity = max(needed, rowCapacity * 2);
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    if (!growRows(changetype<Column>(address), capacity)) return false;
  }
  setRowCapacity(capacity);
  return true;
}

/** True if the slots and all buffers of the columns lie before `mark`. */
export function isTableLaidBefore(mark: usize): bool {
  if (slots >= mark) return false;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    if (!isLaidBefore(changetype<Column>(address), mark)) return false;
  }
  return true;
}

function laySlots(count: u32): bool {
  slots = allocate(<u64>count << 2);
  if (slots == 0) return false;
  slotMask = count - 1;
  placeAll();
  return true;
}

/** Refills the slots. Hashes whole names if too many names collide otherwise. */
function placeAll(): void {
  memory.fill(slots, 0, (<usize>slotMask + 1) << 2);
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    if (place(changetype<Column>(address))) continue;
    isHashedWhole = true;
    placeAll();
    return;
  }
}

/** Puts a column in a slot; false if whole names must be hashed first. */
function place(column: Column): bool {
  column.hash = hashOf(keyOf(column), column.keyLength);
  let slot = column.hash & slotMask;
  for (let probes: u32 = 0; load<u32>(slots + (<usize>slot << 2)) != 0; probes++) {
    if (probes == MOST_PROBES && !isHashedWhole) return false;
    slot = (slot + 1) & slotMask;
  }
  store<u32>(slots + (<usize>slot << 2), <u32>changetype<usize>(column));
  return true;
}

function free(address: usize): void {
  let slot = changetype<Column>(address).hash & slotMask;
  while (load<u32>(slots + (<usize>slot << 2)) != <u32>address) slot = (slot + 1) & slotMask;
  store<u32>(slots + (<usize>slot << 2), 0);
}

// @ts-ignore: decorator
@inline
function hashOf(key: usize, keyLength: u32): u32 {
  return isHashedWhole ? hashOfAll(key, keyLength) : hashOfEnds(key, keyLength);
}

/**
 * Hash of the first and the last eight bytes, and of the length. Each group of eight bytes is split into two halves, a secret is
 * added to each half, and the two sums are multiplied (NH, Black et al., 1999).
 */
// @ts-ignore: decorator
@inline
function hashOfEnds(key: usize, keyLength: u32): u32 {
  const length = sizeOfName(keyLength);
  const hash =
    length >= 8
      ? product(load<u64>(key), seed) + product(load<u64>(key + length - 8), secondSeed)
      : product(shortWord(key, length), seed);
  return mixed((hash ^ (hash >> 32)) + keyLength);
}

/** Hash of all bytes, eight at a time, and of the length. */
function hashOfAll(key: usize, keyLength: u32): u32 {
  const length = sizeOfName(keyLength);
  let secret = seed;
  let hash = secret ^ keyLength;
  if (length >= 8) {
    for (let i: u32 = 8; i < length; i += 8) {
      hash = rotl<u64>(hash, 19) + product(load<u64>(key + i - 8), secret);
      secret = secret * 0x9e37_79b9_7f4a_7c15 + 1;
    }
    hash = rotl<u64>(hash, 19) + product(load<u64>(key + length - 8), secret);
  } else {
    hash += product(shortWord(key, length), secret);
  }
  return mixed(hash ^ (hash >> 32));
}

/** The bytes of a name of fewer than eight bytes, as a word. */
// @ts-ignore: decorator
@inline
function shortWord(key: usize, length: u32): u64 {
  return length == 0 ? 0 : load<u64>(key) << <u64>(64 - (length << 3));
}

// @ts-ignore: decorator
@inline
function mixed(hash: u64): u32 {
  return <u32>((hash * 0xd6e8_feb8_6659_fd93) >> 32);
}

// @ts-ignore: decorator
@inline
function product(word: u64, secret: u64): u64 {
  return <u64>(<u32>word + <u32>secret) * <u64>(<u32>(word >> 32) + <u32>(secret >> 32));
}
