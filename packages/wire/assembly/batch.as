// A batch, from its start to its last row; one record is one row.
import { arenaTop, resetArena } from "./arena";
import { finishColumns, sizeOfColumns, startColumns } from "./batch-columns";
import { startLimits } from "./batch-limits";
import { NEVER } from "./column";
import { setRowCapacity } from "./column-growth";
import { dropColumns } from "./column-memory";
import { firstColumn } from "./column-table";
import { startFound } from "./entry-column";
import { setListPolicy } from "./feature-list";
import { dropInput } from "./input";
import { firstListsRow, startRecords } from "./record";

/** Instead of a policy for unlisted feature lists: the field is unknown. */
const NO_LISTS: u32 = 3;
/** The same, and a record with field 2 is refused. */
const REFUSED_LISTS: u32 = 4;

/** Rows so far. */
export let numRows: u32 = 0;
/** Whether malformed records are left out. */
export let isSkipping: bool = false;

/**
 * Discards the current batch and starts an empty one without columns, which may find `maxColumns`; false when memory is
 * refused. Records are Examples when `listPolicy` is `NO_LISTS` or `REFUSED_LISTS`.
 */
export function begin(
  policy: u32,
  listPolicy: u32,
  skipsMalformed: bool,
  numRowsHint: u32,
  keepsRaw: bool,
  maxColumns: u32,
): bool {
  resetArena();
  dropColumns();
  dropInput();
  numRows = 0;
  startLimits();
  startFound(maxColumns);
  isSkipping = skipsMalformed;
  startRecords(policy, listPolicy < NO_LISTS, listPolicy == REFUSED_LISTS);
  setListPolicy(listPolicy);
  setRowCapacity(max((numRowsHint + 63) & ~63, 64));
  return startColumns(keepsRaw);
}

/** Records that a record has filled the next row. */
export function endRow(): void {
  numRows++;
}

export function rows(): u32 {
  return numRows;
}

/** Bytes of the batch so far. */
export function numBytes(): f64 {
  return sizeOfColumns(numRows);
}

/** Whether a record of the batch has a `FeatureLists`. */
export function hasFeatureLists(): bool {
  return firstListsRow != NEVER;
}

/**
 * Completes every column of the batch. Returns the first column, 0 without columns; `NEVER` if memory is refused.
 */
export function finish(): usize {
  return finishColumns(numRows) ? firstColumn : NEVER;
}

/** End of the current batch's memory. Memory after it was used by other batches. */
export function bytesUsed(): usize {
  return arenaTop();
}
