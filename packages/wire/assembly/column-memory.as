// Memory of the columns. Columns are allocated for each batch. New columns can reuse the memory of removed ones.
import { allocate, isBefore } from "./arena";
import { Column, KEY, NEVER, PLANNED, sizeOfName } from "./column";
import { rowCapacity } from "./column-growth";
import { NO_TAG } from "./column-kind";

/** Columns are accessed constantly, so they lie close together, in blocks of at least this size. */
const COLUMN_BLOCK: usize = 8192;
let nextColumn: usize = 0;
let columnBlockEnd: usize = 0;

let savedNextColumn: usize = 0;
let savedColumnBlockEnd: usize = 0;

/** Forgets all columns, after the arena has been reset. */
export function dropColumns(): void {
  nextColumn = 0;
  columnBlockEnd = 0;
}

/** Remembers the address of the next column. */
// @ts-ignore: decorator
@inline
export function saveColumns(): void {
  savedNextColumn = nextColumn;
  savedColumnBlockEnd = columnBlockEnd;
}

/**
 * Lets the next columns reuse the memory of columns created since `saveColumns`. Does nothing if a new block was allocated for
 * those columns and the arena has not released it.
 */
export function rewindColumns(isReleased: bool): void {
  if (!isReleased && columnBlockEnd != savedColumnBlockEnd) return;
  nextColumn = savedNextColumn;
  columnBlockEnd = savedColumnBlockEnd;
}

/** Creates a column without buffers; 0 when memory runs out. */
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

/** True if all buffers of the column and of its steps lie before `mark`. */
export function isLaidBefore(column: Column, mark: usize): bool {
  return (
    isBefore(mark, column.offsets, (<usize>column.rowCapacity + 1) << 2) &&
    isBefore(mark, column.validity, (<usize>column.rowCapacity + 7) >> 3) &&
    isBefore(mark, column.values, column.valueBytes) &&
    isBefore(mark, column.valueOffsets, column.valueOffsetBytes) &&
    (column.steps == 0 || isLaidBefore(changetype<Column>(column.steps), mark))
  );
}
