import { sliceByBytes } from "@tfxio/arrow-encoding";
import type { ReadProgress } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { KeptRows } from "./batch-transform.js";

/** A part of a batch, with the position of its end in the format's batch. */
export interface CutBatch {
  readonly batch: RecordBatch;
  /** Number of rows of the format's batch up to the end of this part, including rows that were dropped. */
  readonly numTaken: number;
}

/**
 * Divides kept rows into parts of about `batchBytes` bytes.
 * @param numRows Number of rows of the format's batch, including rows that were dropped.
 */
export function cutBatch({ batch, numbers }: KeptRows, numRows: number, batchBytes: number): CutBatch[] {
  let end = 0;
  return sliceByBytes(batch, batchBytes).map((part) => {
    end += part.numRows;
    const numTaken =
      end === batch.numRows ? numRows : numbers === undefined ? end : (numbers[end - 1] ?? 0) + 1;
    return { batch: part, numTaken };
  });
}

/**
 * Returns the progress after the first `numTaken` of the `numRows` rows of a batch. Subtracts the remaining rows from `after`,
 * which the format reported for the whole batch. If the position did not advance by exactly `numRows` rows, for example because
 * the format filters rows, returns the progress before the batch. A read that resumes there repeats rows but never loses any.
 */
export function progressWithin(
  before: ReadProgress,
  after: ReadProgress,
  numTaken: number,
  numRows: number,
): ReadProgress {
  const { row } = after.position;
  const numLeft = numRows - numTaken;
  if (numLeft === 0) return after;
  if (row - before.position.row !== numRows) return before;
  return { ...after, position: { row: row - numLeft }, numRows: after.numRows - numLeft };
}
