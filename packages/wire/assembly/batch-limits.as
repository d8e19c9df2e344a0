// Checks whether a batch is full. The limits, on rows and on bytes of columns, come with each push.
import { sizeOfColumns } from "./batch-columns";
import { setOutlook } from "./column-growth";

/** Maximum output bytes per input byte: a varint of one byte becomes eight bytes, and the raw record also keeps that byte. */
const MAX_GROWTH: f64 = 9;

/** Number of input bytes that can be added before the bytes of the batch must be counted again. */
let uncounted: f64 = 0;
/** The limit on bytes at the last count. */
let countedFor: f64 = 0;
/** The limit on rows at the last count. */
let rowLimit: f64 = 0;

/** Prepares for an empty batch: resets `uncounted` and the estimate of the batch's final size. */
export function startLimits(): void {
  uncounted = 0;
  setOutlook(0);
}

/** True if no further record may be added to the batch of `numRows` rows. */
export function isFull(numRows: u32, maxRows: f64, maxBytes: f64): bool {
  if (<f64>numRows >= maxRows) return true;
  if (numRows == 0 || (uncounted > 0 && countedFor == maxBytes)) return false;
  // Counting visits all columns, so count again only when the limit may have been reached.
  uncounted = floor((maxBytes - sizeOfColumns(numRows)) / MAX_GROWTH);
  countedFor = maxBytes;
  rowLimit = maxRows;
  return uncounted <= 0;
}

/** Counts an added record of `size` input bytes. */
export function countRecord(size: f64): void {
  uncounted -= size;
}

/** Makes `isFull` count again, because the added record may have enlarged the batch by more than its size suggests. */
export function recountSoon(): void {
  uncounted = 0;
}

/** Estimates the final size of the batch from its first `numRows` rows, so that columns grow to their final size in one step. */
export function lookOut(numRows: u32): void {
  setOutlook(min(rowLimit / <f64>numRows, countedFor / sizeOfColumns(numRows)));
}
