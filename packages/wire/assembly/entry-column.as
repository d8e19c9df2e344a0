// Finds the column of an entry that did not take the fast path.
import { Column, DISCOVERED, IGNORED, LIST_NAME, NEVER, UNLISTED } from "./column";
import { layOffsets } from "./column-growth";
import { clear } from "./column-rows";
import { addColumn, columnOf } from "./column-table";
import { addMisfit, takeBackMisfit } from "./misfits";
import { addListColumn, rewindSteps } from "./steps";
import { UNSET } from "./wire-tags";

// Treatment of a name without a column: `UnlistedPolicy` of the host.
export const DROP: u32 = 0;
export const REFUSE: u32 = 1;
export const DISCOVER: u32 = 2;

/** Instead of a column: memory for one is refused. */
export const REFUSED: usize = 1;
/** Instead of a column: the batch has the maximum number of columns. */
export const CROWDED: usize = 2;

/** Number of columns that entered the batch so far. A new column also takes memory for the earlier rows. */
export let numSightings: u32 = 0;
/** Columns of the batch that no plan names, and entries whose names must not be there. */
export let numFound: u32 = 0;
/** The most of them. */
let maxFound: u32 = 0;

/** For an empty batch, which may find this many columns. */
export function startFound(most: u32): void {
  numFound = 0;
  maxFound = most;
}

/** Undoes what a record has found. */
export function rewindFound(count: u32): void {
  numFound = count;
}

/**
 * The column for the entry at `at`, as `row`, without the values of an earlier entry of its name; 0 if the entry is
 * dropped, or noted as a mismatch; `REFUSED` or `CROWDED`. A length with `LIST_NAME` is that of a feature list's
 * name.
 */
export function columnFor(key: usize, length: u32, policy: u32, kind: u32, at: usize, row: u32): usize {
  const isList = (length & LIST_NAME) != 0;
  let address = columnOf(key, length);
  if (address == 0) {
    if (policy == DROP || (policy == REFUSE && kind == UNSET)) return 0;
    if (numFound >= maxFound) return CROWDED;
    const role = policy == REFUSE ? UNLISTED : DISCOVERED;
    address = isList ? addListColumn(key, length, role, UNSET) : addColumn(key, length, role, UNSET);
    if (address == 0) return REFUSED;
  }
  const column = changetype<Column>(address);
  if (column.role == IGNORED) return 0;
  // Only the last entry of a name counts.
  takeBackMisfit(column);
  if (column.role == UNLISTED) {
    if (kind == UNSET) return 0;
    if (numFound >= maxFound) return CROWDED;
    numFound++;
    addMisfit(column, at, kind);
    return 0;
  }
  clear(column, row);
  if (isList) rewindSteps(column);
  if (column.firstRow == NEVER) {
    if (policy == DISCOVER) {
      if (numFound >= maxFound) return CROWDED;
      numFound++;
    }
    if (isList && !layOffsets(column)) return REFUSED;
    column.firstRow = row;
    numSightings++;
  }
  return address;
}
