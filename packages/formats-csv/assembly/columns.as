// The columns of a table. Each is described by COLUMN_BYTES bytes, which the host reads (src/kernels/wasm/wasm-table.ts).
import { allocate, copyText } from "./memory";
import { storeFloat, storeInt } from "./numbers";

/** The treatment of the cells of a column, as in `CellKind`. */
export const SKIP: u32 = 0;
export const NOTHING: u32 = 1;
export const INT64: u32 = 2;
export const FLOAT32: u32 = 3;
export const BYTES: u32 = 4;

/**
 * Six words: the kind; the addresses of the values or offsets, of the null bits and of the data; the size of the data block; and
 * the number of its used bytes.
 */
export const COLUMN_BYTES: usize = 24;
const VALUES: usize = 4;
const NULLS: usize = 8;
const DATA: usize = 12;
const DATA_SIZE: usize = 16;
const DATA_END: usize = 20;

/** Result of storing a cell. */
export const STORED: u32 = 0;
export const DEFERRED: u32 = 1;
export const TOO_LARGE: u32 = 2;

const MAX_DATA_BYTES: u64 = 0x7fffffff;

export let columns: usize = 0;
export let numColumns: u32 = 0;
/** Number of rows that fit in the columns. */
export let capacity: u32 = 0;

/** Allocates the descriptions of `count` columns, all of kind `SKIP`. False when memory runs out. */
export function layColumns(count: u32): bool {
  columns = allocate(<usize>count * COLUMN_BYTES);
  numColumns = count;
  return columns != 0;
}

export function columnAt(index: u32): usize {
  return columns + <usize>index * COLUMN_BYTES;
}

/** Doubles the capacity of all columns. The first call sets it to 1024 rows. False when memory runs out. */
export function growColumns(): bool {
  const rows: u32 = capacity == 0 ? 1024 : capacity * 2;
  if (rows < capacity) return false;
  for (let index: u32 = 0; index < numColumns; index++) {
    const column = columnAt(index);
    const kind = load<u32>(column);
    if (kind == SKIP) continue;
    if (!growPart(column + NULLS, capacity >> 3, <u64>rows >> 3)) return false;
    const size: u32 = kind == INT64 ? 8 : 4;
    if (kind != NOTHING && !growPart(column + VALUES, (capacity + 1) * size, (<u64>rows + 1) * size)) return false;
  }
  capacity = rows;
  return true;
}

/** Moves the block whose address is at `pointer` to a new block of `size` bytes. Copies the first `used` bytes. */
function growPart(pointer: usize, used: u32, size: u64): bool {
  if (size > MAX_DATA_BYTES) return false;
  const address = allocate(<usize>size);
  if (address == 0) return false;
  const old = load<u32>(pointer);
  if (old != 0) memory.copy(address, old, used);
  store<u32>(pointer, <u32>address);
  return true;
}

// @ts-ignore: decorator
@inline
export function storeNull(column: usize, kind: u32, row: u32): void {
  const byte = <usize>load<u32>(column, NULLS) + (row >> 3);
  store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (row & 7)));
  if (kind == BYTES) endText(column, row);
}

/** Stores a cell that is not null. */
// @ts-ignore: decorator
@inline
export function storeCell(column: usize, kind: u32, row: u32, start: usize, end: usize): u32 {
  if (kind == BYTES) return storeText(column, row, start, end);
  if (kind == INT64) {
    const target = <usize>load<u32>(column, VALUES) + ((<usize>row) << 3);
    return storeInt(target, start, end) ? STORED : DEFERRED;
  }
  if (kind == FLOAT32) {
    const target = <usize>load<u32>(column, VALUES) + ((<usize>row) << 2);
    return storeFloat(target, start, end) ? STORED : DEFERRED;
  }
  return DEFERRED;
}

// @ts-ignore: decorator
@inline
function storeText(column: usize, row: u32, start: usize, end: usize): u32 {
  const length = end - start;
  const at = load<u32>(column, DATA_END);
  const until = <u64>at + length;
  if (until > load<u32>(column, DATA_SIZE) && !growData(column, until)) return TOO_LARGE;
  copyText(<usize>load<u32>(column, DATA) + at, start, length);
  store<u32>(column, <u32>until, DATA_END);
  endText(column, row);
  return STORED;
}

// @ts-ignore: decorator
@inline
function endText(column: usize, row: u32): void {
  store<u32>(<usize>load<u32>(column, VALUES) + ((<usize>row + 1) << 2), load<u32>(column, DATA_END));
}

function growData(column: usize, needed: u64): bool {
  if (needed > MAX_DATA_BYTES) return false;
  const doubled = max<u64>(needed * 2, 4096);
  const size = min<u64>(doubled, MAX_DATA_BYTES);
  if (!growPart(column + DATA, load<u32>(column, DATA_END), size)) return false;
  store<u32>(column, <u32>size, DATA_SIZE);
  return true;
}

/** Removes the cells of `row`. */
export function takeBackRow(row: u32): void {
  if (row >= capacity) return;
  for (let index: u32 = 0; index < numColumns; index++) {
    const column = columnAt(index);
    const kind = load<u32>(column);
    if (kind == SKIP) continue;
    const byte = <usize>load<u32>(column, NULLS) + (row >> 3);
    store<u8>(byte, load<u8>(byte) & ~<u8>(<u32>1 << (row & 7)));
    if (kind == BYTES) {
      store<u32>(column, load<u32>(<usize>load<u32>(column, VALUES) + ((<usize>row) << 2)), DATA_END);
    }
  }
}

/** Drops all rows. */
export function clearColumns(): void {
  for (let index: u32 = 0; index < numColumns; index++) {
    const column = columnAt(index);
    if (load<u32>(column) == SKIP) continue;
    memory.fill(load<u32>(column, NULLS), 0, capacity >> 3);
    store<u32>(column, 0, DATA_END);
  }
}
