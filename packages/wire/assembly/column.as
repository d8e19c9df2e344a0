// One column in the making: growable buffers in Arrow layout, the twin of src/kernels/example-column.ts. Rows are
// filled lazily: `row` rows are done, what lies between them and a later row becomes null when that row comes.
import { allocate, isBefore, regrow } from "./arena";
import { BYTES, INT64, UNSET } from "./wire-tags";

// `ColumnRole` of the host.
/** Listed with a kind; always in the batch. */
export const PLANNED: u32 = 0;
/** Wanted by name; in the batch when the name occurred. */
export const WANTED: u32 = 1;
/** Found in the data; in the batch. */
export const DISCOVERED: u32 = 2;
/** Never in the batch. */
export const IGNORED: u32 = 3;
/** Found in the data, where it must not be: lives as long as the record at hand. */
export const UNLISTED: u32 = 4;

/** Arrow's int32 offsets end here. */
const MAX_OFFSET: u64 = 0x7fff_ffff;
const NO_TAG: u32 = 0xffff_ffff;
/** No row. */
export const NEVER: u32 = 0xffff_ffff;
/** In the length of a name: it is a feature list's. Names of features and of feature lists are apart. */
export const LIST_NAME: u32 = 0x8000_0000;

/**
 * What every entry touches comes first, in one cache line. The host reads some of the fields, as 32-bit words by their
 * places: src/kernels/wasm/column-record.ts.
 */
@unmanaged
export class Column {
  /** The first sixteen bytes of the key, zeros behind it. */
  keyHead0: u64;
  keyHead1: u64;
  /** With `LIST_NAME`. */
  keyLength: u32;
  /** Zero bits for the bytes of `keyHead` that the key has, one bits for the others. */
  keyIgnored: u32;
  /** The column that came after this one when it was last looked for. */
  successor: usize;
  /** Tag of the field of `tensorflow.Feature` that holds lists of its kind; no tag while it has none. */
  listTag: u32;
  row: u32;
  nullCount: u32;
  numValues: u32;
  /** bytes: used length of the data. */
  numBytes: u32;
  offsets: usize;
  values: usize;
  /** Values that fit, by the kind. */
  valueCapacity: u32;
  /** Bytes of the block at `values`. */
  valueBytes: u32;
  valueOffsets: usize;
  /** Laid at the first null. */
  validity: usize;
  kind: u32;
  role: u32;
  /** Row that first held this name in the batch, `NEVER` while none did; 0 for a planned column. */
  firstRow: u32;
  /** The column made after this one; 0 after the last. */
  next: usize;
  hash: u32;
  plannedKind: u32;
  /** Row in which `kind` was found, `NEVER` when it was planned. */
  kindRow: u32;
  /** Bytes of the block at `valueOffsets`. */
  valueOffsetBytes: u32;
  valueHint: u32;
  byteHint: u32;
  /** In the record at hand, the entry that does not fit, or 0; and the kind it has. */
  misfitAt: usize;
  misfitKind: u32;
  /** Of feature lists: the column of their steps, which has a row for each; else 0. */
  steps: usize;
  /** Rows that fit the offsets and the bitmap. */
  rowCapacity: u32;
  /** Size of the entries whose head is remembered, `NEVER` while none is; see head.as. */
  entrySize: u32;
  /** Bytes of the head, where its last vector begins, and one bits for the bytes of its only vector that it lacks. */
  headSize: u32;
  headLast: u32;
  headIgnored: u32;
  head0: u64;
  head1: u64;
  head2: u64;
  head3: u64;
  head4: u64;
  head5: u64;
  /** Size of the last entry that might have been remembered. */
  lastSize: u32;
}

/** The whole key follows the fields, and zeros up to a multiple of sixteen bytes. */
export const KEY: usize = (offsetof<Column>() + 15) & ~15;

/** Rows that fit the offsets and bitmaps of every column but those of steps. */
export let rowCapacity: u32 = 0;

export function setRowCapacity(rows: u32): void {
  rowCapacity = rows;
}

// @ts-ignore: decorator
@inline
export function keyOf(column: Column): usize {
  return changetype<usize>(column) + KEY;
}

/** Bytes of a name, whosesoever it is. */
// @ts-ignore: decorator
@inline
export function sizeOfName(length: u32): u32 {
  return length & ~LIST_NAME;
}

/** Whether the `length` bytes at `key` are the column's name. Reads sixteen bytes whatever is there. */
// @ts-ignore: decorator
@inline
export function isKey(column: Column, key: usize, length: u32): bool {
  const equal = i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(changetype<usize>(column))));
  // One condition, since names of another order make each of the two a matter of chance.
  if (((<u32>equal | column.keyIgnored) ^ 0xffff) | (column.keyLength ^ length)) return false;
  return sizeOfName(length) <= 16 || isLongKey(column, key, sizeOfName(length));
}

function isLongKey(column: Column, key: usize, length: u32): bool {
  const name = keyOf(column);
  for (let i: usize = 16; i < length - 16; i += 16) {
    if (v128.any_true(v128.xor(v128.load(key + i), v128.load(name + i)))) return false;
  }
  const last = <usize>length - 16;
  return !v128.any_true(v128.xor(v128.load(key + last), v128.load(name + last)));
}

/** Columns lie close together, since all of them are looked at again and again: in blocks of this size. */
const COLUMN_BLOCK: usize = 8192;
let nextColumn: usize = 0;
let columnBlockEnd: usize = 0;

let savedNextColumn: usize = 0;
let savedColumnBlockEnd: usize = 0;

/** Begins anew, after the arena was reset. */
export function dropColumns(): void {
  nextColumn = 0;
  columnBlockEnd = 0;
}

/** Remembers where the next column will lie. */
// @ts-ignore: decorator
@inline
export function saveColumns(): void {
  savedNextColumn = nextColumn;
  savedColumnBlockEnd = columnBlockEnd;
}

/** Gives the memory of columns made since then to the next ones, unless they have a block that was not released. */
export function rewindColumns(isReleased: bool): void {
  if (!isReleased && columnBlockEnd != savedColumnBlockEnd) return;
  nextColumn = savedNextColumn;
  columnBlockEnd = savedColumnBlockEnd;
}

/** A column without buffers, 0 when memory is refused. */
export function makeColumn(key: usize, keyLength: u32, role: u32, plannedKind: u32): usize {
  const length = sizeOfName(keyLength);
  const size = (KEY + <usize>length + 15 + 63) & ~63;
  if (size > columnBlockEnd - nextColumn) {
    const blockSize = max(size, COLUMN_BLOCK);
    nextColumn = allocate(blockSize);
    columnBlockEnd = nextColumn == 0 ? 0 : nextColumn + blockSize;
    if (nextColumn == 0) return 0;
  }
  const address = nextColumn;
  nextColumn += size;
  memory.fill(address, 0, size);
  memory.copy(address, key, min(length, 16));
  memory.copy(address + KEY, key, length);
  const column = changetype<Column>(address);
  column.keyLength = keyLength;
  column.keyIgnored = length >= 16 ? 0 : 0xffff & (0xffff_ffff << length);
  column.role = role;
  column.plannedKind = plannedKind;
  column.kindRow = NEVER;
  column.firstRow = role == PLANNED ? 0 : NEVER;
  column.listTag = NO_TAG;
  column.rowCapacity = rowCapacity;
  column.entrySize = NEVER;
  return address;
}

/** Gives a planned column its kind; false when memory is refused. */
export function layPlanned(column: Column): bool {
  return column.plannedKind == UNSET || setKind(column, column.plannedKind);
}

/** Gives an unplanned column its kind; false when memory is refused. */
export function discoverKind(column: Column, kind: u32, row: u32): bool {
  column.kindRow = row;
  return setKind(column, kind);
}

function setKind(column: Column, kind: u32): bool {
  column.kind = kind;
  column.listTag = kind * 8 + 2;
  setValueCapacity(column);
  return layOffsets(column);
}

/** Makes room for the ends of rows, unless there is; false when memory is refused. */
export function layOffsets(column: Column): bool {
  if (column.offsets != 0) return true;
  column.offsets = allocate((<u64>column.rowCapacity + 1) << 2);
  if (column.offsets == 0) return false;
  store<u32>(column.offsets, 0);
  return true;
}

/** Makes nulls of the rows before `row`, in a column with a kind; false when memory is refused. */
export function seek(column: Column, row: u32): bool {
  const from = column.row;
  if (from == row) return true;
  if (column.nullCount == 0 && !layValidity(column)) return false;
  column.nullCount += row - from;
  const numValues = column.numValues;
  const splat = i32x4.splat(numValues);
  // Stores up to three too many: into offsets that are still to come, or slack.
  for (let p = column.offsets + (<usize>from << 2), end = column.offsets + (<usize>row << 2); p < end; p += 16) {
    v128.store(p, splat, 4);
  }
  column.row = row;
  return true;
}

/** A bitmap of ones for the rows so far, and zeros. */
function layValidity(column: Column): bool {
  const size = (<usize>column.rowCapacity + 7) >> 3;
  if (column.validity == 0) {
    column.validity = allocate(size);
    if (column.validity == 0) return false;
  }
  const whole = <usize>column.row >> 3;
  memory.fill(column.validity, 0xff, whole);
  memory.fill(column.validity + whole, 0, size - whole);
  if (column.row & 7) store<u8>(column.validity + whole, bitOf(column.row) - 1);
  return true;
}

/** A row's bit in its byte of the bitmap. */
// @ts-ignore: decorator
@inline
export function bitOf(row: u32): u8 {
  return <u8>1 << <u8>(row & 7);
}

/** Ends the row that was sought, with the values appended since the last one. */
// @ts-ignore: decorator
@inline
export function commit(column: Column): void {
  const row = column.row;
  if (column.nullCount > 0) {
    const byte = column.validity + (row >> 3);
    store<u8>(byte, load<u8>(byte) | bitOf(row));
  }
  store<u32>(column.offsets + (<usize>row << 2), column.numValues, 4);
  column.row = row + 1;
}

/** Takes back what was appended since the last row ended. */
export function discard(column: Column): void {
  column.numValues = column.row == 0 ? 0 : load<u32>(column.offsets + (<usize>column.row << 2));
  if (column.kind == BYTES) {
    column.numBytes = column.numValues == 0 ? 0 : load<u32>(column.valueOffsets + (<usize>column.numValues << 2));
  }
}

/** Takes `row` back, if it was the last to end, and a kind that was found in it. */
export function clear(column: Column, row: u32): void {
  if (column.row > row) {
    column.row = row;
    if (column.nullCount > 0) {
      const byte = column.validity + (row >> 3);
      store<u8>(byte, load<u8>(byte) & ~bitOf(row));
    }
    discard(column);
  }
  if (column.kindRow == row) dropKind(column);
}

/** Takes back that a kind was found. Its memory stays for whatever kind comes next. */
export function dropKind(column: Column): void {
  column.kind = UNSET;
  column.listTag = NO_TAG;
  column.entrySize = NEVER;
  column.kindRow = NEVER;
  column.numValues = 0;
  column.numBytes = 0;
}

/** Takes back every trace of `row`. */
export function forget(column: Column, row: u32): void {
  clear(column, row);
  if (column.firstRow == row && column.role != PLANNED) column.firstRow = NEVER;
}

/** Room for rows up to `capacity`; false when memory is refused. */
export function growRows(column: Column, capacity: u32): bool {
  if (column.offsets != 0) {
    const before = (<usize>column.rowCapacity + 1) << 2;
    column.offsets = regrow(column.offsets, before, before, (<u64>capacity + 1) << 2);
    if (column.offsets == 0) return false;
  }
  if (column.validity != 0) {
    const before = (<usize>column.rowCapacity + 7) >> 3;
    const size = (<usize>capacity + 7) >> 3;
    column.validity = regrow(column.validity, before, before, size);
    if (column.validity == 0) return false;
    memory.fill(column.validity + before, 0, size - before);
  }
  column.rowCapacity = capacity;
  return true;
}

/** How many times as much as so far the batch will hold, as far as its rows tell; 0: they do not. */
let outlook: f64 = 0;

export function setOutlook(times: f64): void {
  outlook = times < 65536 ? times : 0;
}

/**
 * A size to grow to from `capacity`: what the batch will need, for memory that is not touched costs nothing, while every
 * growth leaves a block behind; else twice as much.
 */
export function ampler(capacity: u64, used: u64): u64 {
  return max(capacity * 2, <u64>(<f64>used * outlook * 1.125));
}

/** Room for `count` more values; false when a limit is passed or memory refused. */
export function reserveValues(column: Column, count: u32): bool {
  const needed = <u64>column.numValues + count;
  if (needed <= column.valueCapacity) return true;
  if (needed >= MAX_OFFSET) return false;
  const wanted = max(max(needed, ampler(column.valueCapacity, column.numValues)), max(<u64>column.valueHint, 8));
  const capacity = min(wanted, MAX_OFFSET - 1);
  if (column.kind == BYTES) {
    const size = (capacity + 1) << 2;
    const used: usize = column.numValues == 0 ? 0 : (<usize>column.numValues + 1) << 2;
    const grown = regrow(column.valueOffsets, column.valueOffsetBytes, used, size);
    if (grown == 0) return false;
    column.valueOffsets = grown;
    column.valueOffsetBytes = <u32>size;
    if (used == 0) store<u32>(grown, 0);
  } else if (!growValues(column, <usize>column.numValues << valueShift(column), capacity << valueShift(column))) {
    return false;
  }
  setValueCapacity(column);
  return true;
}

/** bytes: room for `count` more bytes of data, and for one that is never used. */
export function reserveBytes(column: Column, count: u32): bool {
  const needed = <u64>column.numBytes + count;
  if (needed < column.valueBytes) return true;
  if (needed > MAX_OFFSET) return false;
  const wanted = max(max(needed + 1, ampler(column.valueBytes, column.numBytes)), max(<u64>column.byteHint + 1, 64));
  return growValues(column, column.numBytes, min(wanted, MAX_OFFSET + 1));
}

function growValues(column: Column, used: usize, size: u64): bool {
  const grown = regrow(column.values, column.valueBytes, used, size);
  if (grown == 0) return false;
  column.values = grown;
  column.valueBytes = <u32>size;
  return true;
}

/** Logarithm of the size of a number. */
// @ts-ignore: decorator
@inline
function valueShift(column: Column): usize {
  return column.kind == INT64 ? 3 : 2;
}

function setValueCapacity(column: Column): void {
  if (column.kind != BYTES) column.valueCapacity = column.valueBytes >> <u32>valueShift(column);
  else column.valueCapacity = column.valueOffsetBytes == 0 ? 0 : (column.valueOffsetBytes >> 2) - 1;
}

/** Bytes that the column will have at `numRows` rows. */
export function sizeAt(column: Column, numRows: u32): f64 {
  if (column.firstRow == NEVER || column.role >= IGNORED) return 0;
  const rows = <f64>numRows * 4 + <f64>(numRows >> 3);
  if (column.kind == BYTES) return rows + <f64>column.numValues * 4 + <f64>column.numBytes;
  return rows + <f64>column.numValues * (column.kind == INT64 ? 8 : 4);
}

/** Whether all memory of the column lies before `mark`. */
export function isLaidBefore(column: Column, mark: usize): bool {
  return (
    isBefore(mark, column.offsets, (<usize>column.rowCapacity + 1) << 2) &&
    isBefore(mark, column.validity, (<usize>column.rowCapacity + 7) >> 3) &&
    isBefore(mark, column.values, column.valueBytes) &&
    isBefore(mark, column.valueOffsets, column.valueOffsetBytes) &&
    (column.steps == 0 || isLaidBefore(changetype<Column>(column.steps), mark))
  );
}
