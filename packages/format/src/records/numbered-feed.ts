import { assertRecordBounds } from "@tfxio/wire/checks";
import type { RecordIndex } from "./record-format-parts.js";
import type { FeedParts, RecordFeed } from "./record-feed.js";
import { RecordPool } from "./record-pool.js";
import { StagedRecords, type StagedSource } from "./staged-records.js";

/** Maximum number of records that are read together. */
const RECORDS_AT_ONCE = 1024;

/** Creates a feed of the records with the numbers `recordIndices`, in that order. */
export function createNumberedFeed<Options extends object>(
  index: RecordIndex,
  recordIndices: Uint32Array,
  source: StagedSource,
  {
    session,
    rowColumns,
    context: { signal },
  }: Pick<FeedParts<Options>, "session" | "rowColumns" | "context">,
): RecordFeed {
  const pool = new RecordPool(Math.min(RECORDS_AT_ONCE, recordIndices.length));
  const staged = new StagedRecords(pool, session, [source], rowColumns);
  let [numRead, numBytes] = [0, 0];
  const fill = async (): Promise<void> => {
    const some = recordIndices.subarray(numRead, numRead + RECORDS_AT_ONCE);
    const blocks = await index.read(some, { signal });
    for (const block of blocks) assertRecordBounds(block, 0, 1);
    // Records are taken from the last slot, so that no record moves. They are therefore added in reverse order.
    for (const block of blocks.toReversed()) pool.add(block, 0, 1, 0);
    numRead += some.length;
    numBytes += pool.numBytes;
  };
  return {
    async fillBatch(limits) {
      for (;;) {
        const maxRows = limits.maxRows - session.numRows;
        while (!staged.isFull && staged.length < maxRows) {
          if (pool.length === 0) {
            if (staged.length > 0 || numRead === recordIndices.length) break;
            await fill();
          }
          staged.draw(pool.length - 1);
        }
        if (staged.length === 0) return false;
        if (staged.push(limits)) return true;
      }
    },
    position: () => ({ row: numRead - pool.length - staged.length }),
    numBytes: () => numBytes,
    placed: (error) => staged.placed(error),
    close: async () => {
      pool.clear();
      staged.clear();
    },
  };
}
