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
  /** Number of uncompressed bytes that this run has read from the split, which is the whole file or a part of it. */
  readonly numBytesRead: number;
}

/** Yields the batches of all splits in order, from `cursor` to the end. */
export async function* batchesFrom(
  plan: ReadPlan,
  cursor: WriteCursor,
  signal: AbortSignal | undefined,
): AsyncGenerator<PlacedBatch, void, undefined> {
  for (const [index, split] of plan.splits.entries()) {
    if (index < cursor.split) continue;
    const start = index === cursor.split ? cursor : { split: index, numSkipped: 0 };
    yield* batchesOfSplit(plan, split, start, signal);
  }
}

async function* batchesOfSplit(
  plan: ReadPlan,
  split: Split,
  { split: index, from, numSkipped }: WriteCursor,
  signal: AbortSignal | undefined,
): AsyncGenerator<PlacedBatch, void, undefined> {
  let before = from;
  let after: Position | undefined;
  let rowsToSkip = numSkipped;
  let numBytesRead = 0;
  const onProgress = ({ position, numBytes }: Pick<ReadProgress, "position" | "numBytes">): void => {
    after = position;
    numBytesRead = numBytes;
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
}
