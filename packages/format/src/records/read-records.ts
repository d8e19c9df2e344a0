import type { ReadProgress } from "../read-plan.js";
import type { PayloadSession } from "./record-format-parts.js";
import type { RecordFeed } from "./record-feed.js";

/** Options of {@link readRecords}. */
export interface RecordReading<Batch> {
  readonly session: PayloadSession;
  /** Finishes the session's batch, as an owned or a lent batch. */
  readonly finish: () => Batch;
  readonly batchSize: number;
  readonly batchBytes: number;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Yields the batches of a feed's records. The first `next()` creates the feed. The feed is closed when the iteration ends. */
export async function* readRecords<Batch>(
  createFeed: () => RecordFeed,
  { session, finish, batchSize, batchBytes, onProgress }: RecordReading<Batch>,
): AsyncGenerator<Batch, void, undefined> {
  const feed = createFeed();
  const limits = { maxRows: batchSize, maxBytes: batchBytes };
  let numRows = 0;
  let numSkippedReported = 0;
  const report = (): void => {
    const { numSkipped } = session;
    numSkippedReported = numSkipped;
    onProgress?.({ position: feed.position(), numRows, numBytes: feed.numBytes(), numSkipped });
  };
  try {
    for (let hasMore = true; hasMore; ) {
      hasMore = await feed.fillBatch(limits);
      if (session.numRows === 0) continue;
      numRows += session.numRows;
      const batch = finishOf(feed, finish);
      report();
      yield batch;
    }
    if (session.numSkipped > numSkippedReported) report();
  } finally {
    await feed.close();
  }
}

/** Finishes a batch. An error gets the place of its record. */
function finishOf<Batch>(feed: RecordFeed, finish: () => Batch): Batch {
  try {
    return finish();
  } catch (error) {
    throw feed.placed === undefined ? error : feed.placed(error);
  }
}
