// Finds the column of an entry that did not take the fast path.
import { Column, DISCOVERED, IGNORED, LIST_NAME, NEVER, UNLISTED } from "./column";
import { layOffsets } from "./column-growth";
import { clear } from "./column-rows";
import { addColumn, columnOf } from "./column-table";
import { addMismatch, takeBackMismatch } from "./mismatches";
import { addListColumn, rewindSteps } from "./steps";
import { UNSET } from "./wire-tags";

// Treatment of a name without a column: `Policy` of the host.
export const DROP: u32 = 0;
export const REJECT: u32 = 1;
export const DISCOVER: u32 = 2;

/** Returned in place of a column if memory runs out. */
export const NO_MEMORY: usize = 1;
/** Returned in place of a column if `numFound` would exceed its maximum. */
export const CROWDED: usize = 2;

/**
 * Number of times that an unplanned column entered a batch. Never reset. Tells take-record.as whether a record brought a column
 * into the batch. Such a column takes memory for earlier rows too.
 */
export let numSightings: u32 = 0;
/** Number of discovered columns in the batch, plus the number of entries whose names are not allowed. */
export let numFound: u32 = 0;
/** Maximum of `numFound`. */
let maxFound: u32 = 0;

/** Resets `numFound` for an empty batch, and sets the maximum of `numFound` to `most`. */
export function startFound(most: u32): void {
  numFound = 0;
  maxFound = most;
}

/** Resets `numFound` to its value before a skipped record. */
export function rewindFound(count: u32): void {
  numFound = count;
}

/**
 * Removes the values of an earlier entry with the same name in `row`, and returns the column for the entry at `at`. Returns 0 if
 * the entry is dropped or recorded as a mismatch, and may return `NO_MEMORY` or `CROWDED`. `length` has the bit `LIST_NAME` for
 * a feature list.
 */
export function columnFor(key: usize, length: u32, policy: u32, kind: u32, at: usize, row: u32): usize {
  const isList = (length & LIST_NAME) != 0;
  let address = columnOf(key, length);
  if (address == 0) {
    if (policy == DROP || (policy == REJECT && kind == UNSET)) return 0;
    if (numFound >= maxFound) return CROWDED;
    const role = policy == REJECT ? UNLISTED : DISCOVERED;
    address = isList ? addListColumn(key, length, role, UNSET) : addColumn(key, length, role, UNSET);
    if (address == 0) return NO_MEMORY;
  }
  const column = changetype<Column>(address);
  if (column.role == IGNORED) return 0;
  // Of several entries with the same name, only the last counts.
  takeBackMismatch(column);
  if (column.role == UNLISTED) {
    if (kind == UNSET) return 0;
    if (numFound >= maxFound) return CROWDED;
    numFound++;
    addMismatch(column, at, kind);
    return 0;
  }
  clear(column, row);
  if (isList) rewindSteps(column);
  if (column.firstRow == NEVER) {
    if (policy == DISCOVER) {
      if (numFound >= maxFound) return CROWDED;
      numFound++;
    }
    if (isList && !layOffsets(column)) return NO_MEMORY;
    column.firstRow = row;
    numSightings++;
  }
  return address;
}
