// Mismatches: well-formed entries of the current record whose kind differs from that of their column, or whose name is
// not allowed. A later entry with the same name cancels the mismatch.
import { Column, LIST_NAME, UNLISTED } from "./column";
import { firstColumn } from "./column-table";
import { OK, UNLISTED_FEATURE, WRONG_KIND } from "./wire-tags";

export let numMismatches: u32 = 0;
/** After `WRONG_KIND` or `UNLISTED_FEATURE`: the column with the first mismatch. */
export let mismatch: usize = 0;

export function startMismatches(): void {
  numMismatches = 0;
}

/** Notes that the entry at `at` does not fit its column. `kind` is the kind that was found. */
export function addMismatch(column: Column, at: usize, kind: u32): void {
  column.mismatchAt = at;
  column.mismatchKind = kind;
  numMismatches++;
}

export function takeBackMismatch(column: Column): void {
  if (column.mismatchAt == 0) return;
  column.mismatchAt = 0;
  numMismatches--;
}

/** Status for the mismatches of a complete record. Chooses the mismatch to report. */
export function statusOfMismatches(): u32 {
  if (numMismatches == 0) return OK;
  mismatch = 0;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    if (changetype<Column>(address).mismatchAt == 0) continue;
    if (mismatch == 0 || isBefore(changetype<Column>(address), changetype<Column>(mismatch))) mismatch = address;
  }
  return changetype<Column>(mismatch).role == UNLISTED ? UNLISTED_FEATURE : WRONG_KIND;
}

/**
 * True if the mismatch of `a` comes before that of `b`. Features come before feature lists. Two features, or two feature lists,
 * are ordered by position.
 */
function isBefore(a: Column, b: Column): bool {
  const isList = (a.keyLength & LIST_NAME) != 0;
  if (isList == ((b.keyLength & LIST_NAME) != 0)) return a.mismatchAt < b.mismatchAt;
  return !isList;
}

/** Forgets the mismatches of a record that is skipped. */
export function dropMismatches(): void {
  if (numMismatches == 0) return;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    changetype<Column>(address).mismatchAt = 0;
  }
  numMismatches = 0;
}
