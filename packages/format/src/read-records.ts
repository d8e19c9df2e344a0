import type { ByteSource } from "@tfxio/wire";
import type { ReadProgress } from "./format.js";
import { createRecordFeed } from "./record-feed.js";
import type { ContainerContext, PayloadSession, RecordContainer } from "./record-format-parts.js";

/**
 * Batches end at about this many bytes, whatever their rows: it bounds what a reader holds, and keeps the 32-bit
 * offsets of a batch far from their end.
 */
const MAX_BATCH_BYTES: number = 32 * 2 ** 20;

/** One pass over the records of one source. */
export interface RecordReading<Options extends object, Batch> {
  readonly container: RecordContainer<Options>;
  readonly source: ByteSource;
  readonly context: ContainerContext<Options>;
  readonly session: PayloadSession;
  /** Finishes the session's batch, one way or another. */
  readonly finish: () => Batch;
  readonly batchSize: number;
  /** Rows after which to stop. */
  readonly maxRows: number;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Batches of one source. Opens nothing before the first `next()`; closes on the way out, whichever it is. */
export async function* readRecords<Options extends object, Batch>(
  reading: RecordReading<Options, Batch>,
): AsyncGenerator<Batch, void, undefined> {
  const { container, source, context, session, finish, batchSize, maxRows, onProgress } = reading;
  const feed = createRecordFeed(container, source, context, session);
  let numRows = 0;
  let numSkippedReported = 0;
  const report = (): void => {
    numSkippedReported = session.numSkipped;
    onProgress?.({
      position: feed.position(),
      numRows,
      numBytes: feed.numBytes(),
      numSkipped: session.numSkipped,
    });
  };
  try {
    let hasMore = true;
    while (hasMore && numRows < maxRows) {
      hasMore = await feed.fillBatch({
        maxRows: Math.min(batchSize, maxRows - numRows),
        maxBytes: MAX_BATCH_BYTES,
      });
      if (session.numRows === 0) continue;
      numRows += session.numRows;
      const batch = finish();
      report();
      yield batch;
      context.signal?.throwIfAborted();
    }
    if (session.numSkipped > numSkippedReported) report();
  } finally {
    await feed.close();
  }
}
