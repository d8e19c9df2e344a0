// Capacity of a column for rows, for values, and for their bytes.
import { allocate, regrow } from "./arena";
import { Column } from "./column";
import { BYTES, INT64 } from "./wire-tags";

/** Maximum of Arrow's int32 offsets. */
const MAX_OFFSET: u64 = 0x7fff_ffff;

/** Number of rows for which every column, except columns of steps, has room in its offsets and bitmap. */
export let rowCapacity: u32 = 0;

export function setRowCapacity(rows: u32): void {
  rowCapacity = rows;
}

/** Allocates the offsets if necessary; false if memory runs out. */
export function layOffsets(column: Column): bool {
  if (column.offsets != 0) return true;
  column.offsets = allocate((<u64>column.rowCapacity + 1) << 2);
  if (column.offsets == 0) return false;
  store<u32>(column.offsets, 0);
  return true;
}

/** Makes room for `capacity` rows; false when memory runs out. */
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

/** Expected final size of the batch, divided by its size at the time of the estimate; 0 if unknown. */
let outlook: f64 = 0;

export function setOutlook(times: f64): void {
  outlook = times < 65536 ? times : 0;
}

/**
 * The size to grow to: twice `capacity`, or an eighth more than the whole batch is expected to use, if that is larger. Untouched
 * memory costs nothing, but a block that grows is often moved, and then its old memory stays unused.
 */
export function ampler(capacity: u64, used: u64): u64 {
  return max(capacity * 2, <u64>(<f64>used * outlook * 1.125));
}

/** Makes room for `count` more values; false when a limit is exceeded or memory runs out. */
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

/** In a column of bytes, makes room for `count` more bytes and a spare one; false when a limit is exceeded or memory runs out. */
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

/** Binary logarithm of the size of a value in bytes. */
// @ts-ignore: decorator
@inline
function valueShift(column: Column): usize {
  return column.kind == INT64 ? 3 : 2;
}

/** Sets the number of values that fit, for the column's kind. */
export function setValueCapacity(column: Column): void {
  if (column.kind != BYTES) column.valueCapacity = column.valueBytes >> <u32>valueShift(column);
  else column.valueCapacity = column.valueOffsetBytes == 0 ? 0 : (column.valueOffsetBytes >> 2) - 1;
}
