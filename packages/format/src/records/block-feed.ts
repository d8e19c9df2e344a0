import type { BatchLimits, ByteSource, PushProgress, RecordBlock } from "@tfxio/wire";
import { BlockCursor, frameOffset } from "./block-cursor.js";
import { assertAdvanced, type FeedParts, type RecordFeed } from "./record-feed.js";

/** Creates a feed that pushes the blocks of one source to the session, in order. */
export function createBlockFeed<Options extends object>(
  source: ByteSource,
  { container, context, session, rowColumns }: FeedParts<Options>,
): RecordFeed {
  const cursor = new BlockCursor(container, source, context);
  let row = context.from?.row ?? 0;

  /** Pushes the next records. If rows must be matched to records and records may be skipped, pushes one record at a time. */
  const push = (block: RecordBlock, limits: BatchLimits): PushProgress => {
    const { taken } = cursor;
    if (rowColumns === undefined) return session.push(block, taken, limits);
    const { numRows } = session;
    const pushed = rowColumns.isOneByOne ? { ...block, numRecords: taken + 1 } : block;
    const progress = session.push(pushed, taken, limits);
    for (let index = 0; index < session.numRows - numRows; index++) {
      rowColumns.add(frameOffset(block, taken + index), 0);
    }
    return progress;
  };

  return {
    async fillBatch(limits) {
      for (;;) {
        if (!cursor.hasRecord) {
          if (!(await cursor.advance())) return false;
          continue;
        }
        const progress = push(cursor.block as RecordBlock, limits);
        assertAdvanced(progress, session, source.uri);
        cursor.take(progress.consumed);
        row += progress.numRecords;
        if (progress.isFull) return true;
      }
    },
    position: () => ({ row, detail: cursor.nextOffset }),
    numBytes: () => cursor.numBytes,
    close: () => cursor.close(),
  };
}
