// A batch, from its start to its last row. Each record is one row.
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

/** The `listPolicy` of a batch of Examples. Their field 2 is skipped as an unknown field. */
const NO_LISTS: u32 = 3;
/** Like `NO_LISTS`, but a record with field 2 is rejected. */
const REJECTED_LISTS: u32 = 4;

/** Rows so far. */
export let numRows: u32 = 0;
/** True if malformed records are skipped. */
export let isSkipping: bool = false;

/**
 * Discards the current batch and starts an empty one; false when memory runs out. The batch has no columns yet, except the
 * column of raw records if `keepsRaw` is true. Its records may add at most `maxColumns` columns. Records are Examples if
 * `listPolicy` is `NO_LISTS` or `REJECTED_LISTS`.
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
  startRecords(policy, listPolicy < NO_LISTS, listPolicy == REJECTED_LISTS);
  setListPolicy(listPolicy);
  setRowCapacity(max((numRowsHint + 63) & ~63, 64));
  return startColumns(keepsRaw);
}

/** Counts the row that a record has filled. */
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

/** True if a record of the batch has a `FeatureLists`. */
export function hasFeatureLists(): bool {
  return firstListsRow != NEVER;
}

/**
 * Completes every column of the batch. Returns the first column other than that of raw records, or 0 if there is none; `NEVER`
 * if memory runs out.
 */
export function finish(): usize {
  return finishColumns(numRows) ? firstColumn : NEVER;
}

/** End of the current batch's memory. */
export function bytesUsed(): usize {
  return arenaTop();
}
