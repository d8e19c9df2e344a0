// Decodes one record into the next row of the batch, or skips it.
import { arenaTop, releaseTo } from "./arena";
import { endRow, isSkipping, numRows } from "./batch";
import { growColumns, keepRaw } from "./batch-columns";
import { countRecord, lookOut, recountSoon } from "./batch-limits";
import { Column } from "./column";
import { rowCapacity } from "./column-growth";
import { rewindColumns, saveColumns } from "./column-memory";
import { forget } from "./column-rows";
import { firstColumn, isTableLaidBefore, numColumns, truncate } from "./column-table";
import { numFound, numSightings, rewindFound } from "./entry-column";
import { dropMismatches, mismatch } from "./mismatches";
import { outcome, outOfMemory } from "./outcome";
import { decodeRecord, forgetLists } from "./record";
import { errorAt } from "./scan";
import { rewindSteps } from "./steps";
import { MALFORMED_PAYLOAD, OK, UNLISTED_FEATURE, WRONG_KIND } from "./wire-tags";

/** Decodes the record from `from` to `to`. Returns a status. On an error, the outcome has the position. */
export function takeRecord(from: usize, to: usize): u32 {
  const row = numRows;
  if (row >= rowCapacity && !growAll(row)) return outOfMemory(from);
  const numColumnsBefore = numColumns;
  const numSightingsBefore = numSightings;
  const numFoundBefore = numFound;
  const mark = arenaTop();
  saveColumns();
  const status = decodeRecord(from, to, row);
  if (status != OK) {
    if (status == MALFORMED_PAYLOAD && isSkipping) {
      skip(row, numColumnsBefore, mark);
      rewindFound(numFoundBefore);
      return OK;
    }
    outcome.errorAt = errorAt;
    if (status == WRONG_KIND || status == UNLISTED_FEATURE) {
      outcome.mismatch = mismatch;
      outcome.errorAt = changetype<Column>(mismatch).mismatchAt;
    }
    return status;
  }
  if (numSightings == numSightingsBefore && numColumns != numColumnsBefore) {
    // Remove the columns of names that are not allowed. All their mismatches were cancelled within the record.
    truncate(numColumnsBefore);
    release(mark);
  }
  if (!keepRaw(from, to, row)) return outOfMemory(from);
  endRow();
  // Count one more input byte for each column, including that of raw records. It stands for nine output bytes (see
  // batch-limits.as), which cover the offsets and the bitmap: they take at most five bytes per row. A new column also needs
  // offsets and a bitmap for earlier rows, so recount.
  if (numSightings == numSightingsBefore) countRecord(<f64>(to - from + numColumns + 1));
  else recountSoon();
  return OK;
}

function growAll(row: u32): bool {
  lookOut(row);
  return growColumns(row);
}

/** Frees the memory allocated since `mark`, if only removed columns use it. */
function release(mark: usize): void {
  const isUnused = isTableLaidBefore(mark);
  if (isUnused) releaseTo(mark);
  rewindColumns(isUnused);
}

/** Undoes everything that a record has added to `row`, including new columns and their memory. */
function skip(row: u32, numColumnsBefore: u32, mark: usize): void {
  dropMismatches();
  forgetLists(row);
  truncate(numColumnsBefore);
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    forget(changetype<Column>(address), row);
    if (changetype<Column>(address).steps != 0) rewindSteps(changetype<Column>(address));
  }
  release(mark);
  outcome.numSkipped++;
}
