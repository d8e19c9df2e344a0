import { sliceBatch } from "@tfxio/arrow-encoding";
import type { ReadPlan, ReadProgress, Split } from "@tfxio/format";
import type { Position } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { WriteCursor } from "./write-journal.js";

/** A batch, with a function that returns the cursor for resuming after any of its rows. */
export interface PlacedBatch {
  readonly batch: RecordBatch;
  /** Returns the cursor after the first `numRows` rows of the batch. */
  cursorAfter(this: void, numRows: number): WriteCursor;
  /** URI of the file that the batch comes from. */
  readonly uri: string;
  /** Number of uncompressed bytes that this run has read from that file. */
  readonly numBytesRead: number;
}

/** Yields the batches of all splits in order, from `cursor` to the end. */
export async function* batchesFrom(
  plan: ReadPlan,
  cursor: WriteCursor,
  signal: AbortSignal | undefined,
): AsyncGenerator<PlacedBatch, void, undefined> {
  let numBytesRead = 0;
  let uri: string | undefined;
  for (const [index, split] of plan.splits.entries()) {
    if (index < cursor.split) continue;
    if (split.uri !== uri) numBytesRead = 0;
    ({ uri } = split);
    const start = index === cursor.split ? cursor : { split: index, numSkipped: 0 };
    numBytesRead = yield* batchesOfSplit(plan, split, start, numBytesRead, signal);
  }
}

/**
 * Yields the batches of one split.
 * @param bytesBefore Number of bytes of the file that this run read in earlier splits.
 * @returns that number, plus the bytes read from this split.
 */
async function* batchesOfSplit(
  plan: ReadPlan,
  split: Split,
  { split: index, from, numSkipped }: WriteCursor,
  bytesBefore: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<PlacedBatch, number, undefined> {
  let before = from;
  let after: Position | undefined;
  let rowsToSkip = numSkipped;
  let numBytesRead = bytesBefore;
  const onProgress = ({ position, numBytes }: Pick<ReadProgress, "position" | "numBytes">): void => {
    after = position;
    numBytesRead = bytesBefore + numBytes;
  };
  for await (const batch of plan.read(split, { from, signal, onProgress })) {
    const [start, end] = [before, after];
    before = after;
    const numDone = Math.min(rowsToSkip, batch.numRows);
    rowsToSkip -= numDone;
    if (numDone === batch.numRows) continue;
    yield {
      batch: numDone === 0 ? batch : sliceBatch(batch, numDone, batch.numRows),
      cursorAfter: (numRows) =>
        numDone + numRows === batch.numRows
          ? { split: index, from: end, numSkipped: 0 }
          : { split: index, from: start, numSkipped: numDone + numRows },
      uri: split.uri,
      numBytesRead,
    };
  }
  return numBytesRead;
}
