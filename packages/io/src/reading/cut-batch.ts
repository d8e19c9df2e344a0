import { sliceByBytes } from "@tfxio/arrow-encoding";
import type { ReadProgress } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { KeptRows } from "./batch-transform.js";

/** A part of a batch, and how far the format's batch is done with it. */
export interface CutBatch {
  readonly batch: RecordBatch;
  /** Rows of the format's batch up to the end of this part, those that were left out included. */
  readonly numTaken: number;
}

/** `rows` in parts of about so many bytes, of a format's batch of `numRows` rows. */
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
 * What is reported with the first `numTaken` of the `numRows` rows of a batch: `after`, which the format reported with the
 * whole batch, less what is still to come. Where rows and positions do not go together, reading would resume before the
 * batch: rows may then come twice, and none is lost.
 */
export function progressWithin(
  before: ReadProgress | undefined,
  after: ReadProgress,
  numTaken: number,
  numRows: number,
): ReadProgress {
  const { row } = after.position;
  const numLeft = numRows - numTaken;
  if (numLeft === 0) return after;
  const firstRow = before?.position.row ?? row - numRows;
  if (row - firstRow !== numRows) return before ?? after;
  return { ...after, position: { row: row - numLeft }, numRows: after.numRows - numLeft };
}
