// The rows of a column, like src/kernels/typescript/column-rows.ts. They are filled lazily: only the first `row` rows are
// complete. When a later row follows, the rows in between become null.
import { allocate } from "./arena";
import { Column, IGNORED, NEVER, PLANNED } from "./column";
import { dropKind } from "./column-kind";
import { BYTES, INT64 } from "./wire-tags";

/** Makes the missing rows before `row` null, in a column that has offsets; false when memory runs out. */
export function seek(column: Column, row: u32): bool {
  const from = column.row;
  if (from == row) return true;
  if (column.nullCount == 0 && !layValidity(column)) return false;
  column.nullCount += row - from;
  const numValues = column.numValues;
  const splat = i32x4.splat(numValues);
  // This may store up to three offsets too many. They lie in slack, or where later rows will store their offsets.
  for (let p = column.offsets + (<usize>from << 2), end = column.offsets + (<usize>row << 2); p < end; p += 16) {
    v128.store(p, splat, 4);
  }
  column.row = row;
  return true;
}

/** Fills the bitmap with ones for the complete rows, then zeros. Allocates it if necessary; false when memory runs out. */
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

/** Ends the row that `seek` has reached. It holds the values appended since the previous row ended. */
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

/** Undoes what was appended since the last row ended. */
export function discard(column: Column): void {
  column.numValues = column.row == 0 ? 0 : load<u32>(column.offsets + (<usize>column.row << 2));
  if (column.kind == BYTES) {
    column.numBytes = column.numValues == 0 ? 0 : load<u32>(column.valueOffsets + (<usize>column.numValues << 2));
  }
}

/** Undoes `row` if it is the last completed row. Also undoes a kind that was found in `row`. */
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

/** Like `clear`, but also forgets that the name first occurred in `row`. */
export function forget(column: Column, row: u32): void {
  clear(column, row);
  if (column.firstRow == row && column.role != PLANNED) column.firstRow = NEVER;
}

/** Bytes that the column will have at `numRows` rows. */
export function sizeAt(column: Column, numRows: u32): f64 {
  if (column.firstRow == NEVER || column.role >= IGNORED) return 0;
  const rows = <f64>numRows * 4 + <f64>(numRows >> 3);
  if (column.kind == BYTES) return rows + <f64>column.numValues * 4 + <f64>column.numBytes;
  return rows + <f64>column.numValues * (column.kind == INT64 ? 8 : 4);
}
