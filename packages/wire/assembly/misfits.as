// Mismatches: well-formed entries of the current record that have another kind than their column, or a name that is not
// allowed. A later entry with the same name cancels the mismatch.
import { Column, LIST_NAME, UNLISTED } from "./column";
import { firstColumn } from "./column-table";
import { OK, UNLISTED_FEATURE, WRONG_KIND } from "./wire-tags";

export let numMisfits: u32 = 0;
/** After `WRONG_KIND` or `UNLISTED_FEATURE`: the column with the first mismatch. */
export let misfit: usize = 0;

export function startMisfits(): void {
  numMisfits = 0;
}

/** Records that the entry at `at`, which has this kind, does not fit its column. */
export function addMisfit(column: Column, at: usize, kind: u32): void {
  column.misfitAt = at;
  column.misfitKind = kind;
  numMisfits++;
}

export function takeBackMisfit(column: Column): void {
  if (column.misfitAt == 0) return;
  column.misfitAt = 0;
  numMisfits--;
}

/** Status for the mismatches of a complete record. Chooses the mismatch to report. */
export function statusOfMisfits(): u32 {
  if (numMisfits == 0) return OK;
  misfit = 0;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    if (changetype<Column>(address).misfitAt == 0) continue;
    if (misfit == 0 || isBefore(changetype<Column>(address), changetype<Column>(misfit))) misfit = address;
  }
  return changetype<Column>(misfit).role == UNLISTED ? UNLISTED_FEATURE : WRONG_KIND;
}

/** Orders features before feature lists, whatever their positions. */
function isBefore(a: Column, b: Column): bool {
  const isList = (a.keyLength & LIST_NAME) != 0;
  if (isList == ((b.keyLength & LIST_NAME) != 0)) return a.misfitAt < b.misfitAt;
  return !isList;
}

/** Forgets the mismatches of a record that is skipped. */
export function dropMisfits(): void {
  if (numMisfits == 0) return;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    changetype<Column>(address).misfitAt = 0;
  }
  numMisfits = 0;
}
