// Whether a batch is full, by the limits that come with each push: its rows, and the bytes of its columns.
import { sizeOfColumns } from "./batch-columns";
import { setOutlook } from "./column-growth";

/** A record of n bytes makes at most this many times n of output: an int64 of one byte becomes eight, and once raw. */
const MAX_GROWTH: f64 = 9;

/** Input bytes that can be taken before the batch's bytes have to be counted again, and the limit this goes by. */
let uncounted: f64 = 0;
let countedFor: f64 = 0;
/** Rows that the batch may have. */
let rowLimit: f64 = 0;

/** For an empty batch. */
export function startLimits(): void {
  uncounted = 0;
  setOutlook(0);
}

/** Whether no record may be added to the batch of `numRows` rows. */
export function isFull(numRows: u32, maxRows: f64, maxBytes: f64): bool {
  if (<f64>numRows >= maxRows) return true;
  if (numRows == 0 || (uncounted > 0 && countedFor == maxBytes)) return false;
  // Counting takes a walk over all columns, so count again only when the limit may have been reached.
  uncounted = floor((maxBytes - sizeOfColumns(numRows)) / MAX_GROWTH);
  countedFor = maxBytes;
  rowLimit = maxRows;
  return uncounted <= 0;
}

/** Says that a record was added, which counts as `size` bytes of input. */
export function countRecord(size: f64): void {
  uncounted -= size;
}

/** Says that a record was added that has made the batch larger than its size tells. */
export function recountSoon(): void {
  uncounted = 0;
}

/** Lets columns grow for as many rows as the batch may come to have, now that it has `numRows`. */
export function lookOut(numRows: u32): void {
  setOutlook(min(rowLimit / <f64>numRows, countedFor / sizeOfColumns(numRows)));
}
