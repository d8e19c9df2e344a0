// Which column an entry goes to that did not go the short way.
import { Column, DISCOVERED, IGNORED, LIST_NAME, NEVER, UNLISTED } from "./column";
import { layOffsets } from "./column-growth";
import { clear } from "./column-rows";
import { addColumn, columnOf } from "./column-table";
import { addMisfit, takeBackMisfit } from "./misfits";
import { addListColumn, rewindSteps } from "./steps";
import { UNSET } from "./wire-tags";

// What a name that no column has means: `UnlistedPolicy` of the host.
export const DROP: u32 = 0;
export const REFUSE: u32 = 1;
export const DISCOVER: u32 = 2;

/** Instead of a column: memory for one is refused. */
export const REFUSED: usize = 1;
/** The same: the batch has as many columns as it may have. */
export const CROWDED: usize = 2;

/** How often a column came into the batch: then it takes memory for the rows before as well. */
export let numSightings: u32 = 0;
/** Columns of the batch that no plan names, and entries whose names must not be there. */
export let numFound: u32 = 0;
/** The most of them. */
let maxFound: u32 = 0;

/** For an empty batch, which may find so many columns. */
export function startFound(most: u32): void {
  numFound = 0;
  maxFound = most;
}

/** Takes back what a record has found. */
export function rewindFound(count: u32): void {
  numFound = count;
}

/**
 * The column that the entry at `at` is to be put into as `row`, without what an earlier entry of its name had put
 * there; 0 when it is dropped, or noted as a misfit; `REFUSED` or `CROWDED`. A length with `LIST_NAME` is that of a feature list's name.
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
  // The last entry of a name counts, and it alone.
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
