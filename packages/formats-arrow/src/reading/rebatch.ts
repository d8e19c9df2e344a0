import { concatBatches, sliceBatch } from "@tfxio/arrow-encoding";
import type { ReadOptions } from "@tfxio/format";
import { type HandedOver, handedOver } from "@tfxio/wire";
import { type Data, DataType, type RecordBatch } from "apache-arrow";

/** Rows of one stored batch. */
export interface StoredRows {
  readonly batch: RecordBatch;
  /** Size in bytes of the message that holds the stored batch. */
  readonly numBytes: number;
  /** Number of rows in the split that precede the stored batch, including rows that are not requested. */
  readonly row: number;
  /** Index of the stored batch in its file, if the source has random access. */
  readonly stored?: number | undefined;
}

/** The stored batch at which a read resumes, and how many rows of the split precede that batch. */
export interface BatchDetail {
  readonly batch: number;
  readonly row: number;
}

/** Options of {@link rebatched}. */
export interface RebatchOptions extends Pick<ReadOptions, "onProgress"> {
  readonly batchSize: number;
  /** True if rows of several stored batches are joined. */
  readonly joinBatches: boolean;
  /** Number of rows in the split that precede the first requested row. */
  readonly firstRow: number;
}

/**
 * Yields batches of `batchSize` rows, then one with the remaining rows. Rows from one stored batch share its buffers. Rows from
 * several stored batches are copied into one batch. A batch ends early at the end of a stored batch if `joinBatches` is false, or
 * if unions or different dictionaries prevent joining it with the next rows. Rows before an error are yielded before it is
 * thrown.
 */
export function rebatched(
  pieces: HandedOver<StoredRows>,
  { batchSize, joinBatches, firstRow, onProgress }: RebatchOptions,
): HandedOver<RecordBatch> {
  const waiting: RecordBatch[] = [];
  let [numWaiting, numCut, numRows, numBytes] = [0, 0, 0, 0];
  /** The stored batch with pending rows; undefined while the next one is read. */
  let rest: RecordBatch | undefined;
  let last: Omit<StoredRows, "batch"> | undefined;
  const joined = (): RecordBatch => {
    const [first] = waiting as [RecordBatch];
    const batch = waiting.length === 1 ? first : concatBatches(waiting, first.schema);
    waiting.length = 0;
    numWaiting = 0;
    numRows += batch.numRows;
    const detail =
      last?.stored === undefined ? undefined : ({ batch: last.stored, row: last.row } satisfies BatchDetail);
    const position = { row: firstRow + numRows, ...(detail && { detail }) };
    onProgress?.({ position, numRows, numBytes, numSkipped: 0 });
    return batch;
  };
  let incoming: Omit<StoredRows, "batch"> | undefined;
  let isRead = false;
  let failure: { readonly error: unknown } | undefined;
  const readNext = async (): Promise<void> => {
    try {
      const { value, done } = await pieces.next();
      isRead = done === true;
      if (done === true) return;
      const { batch, ...place } = value;
      rest = batch;
      numCut = 0;
      incoming = place;
    } catch (error) {
      isRead = true;
      failure = { error };
    }
  };
  const endsBatch = (): boolean => numWaiting > 0 && !canJoin(waiting[0] as RecordBatch, rest as RecordBatch);
  /** Takes rows of `rest`, up to a whole batch. @returns true if the batch is full. */
  const cut = (): boolean => {
    const batch = rest as RecordBatch;
    if (incoming !== undefined) {
      last = incoming;
      numBytes += incoming.numBytes;
      incoming = undefined;
    }
    const start = numCut;
    numCut = Math.min(batch.numRows, start + batchSize - numWaiting);
    waiting.push(start === 0 && numCut === batch.numRows ? batch : sliceBatch(batch, start, numCut));
    numWaiting += numCut - start;
    if (numCut === batch.numRows) rest = undefined;
    return numWaiting === batchSize;
  };
  return handedOver(
    async () => {
      for (;;) {
        if (rest !== undefined) {
          if (cut()) return joined();
          continue;
        }
        // If batches are not joined, yield the rows immediately, because a stream may take a long time to send more.
        if (numWaiting > 0 && (isRead || !joinBatches)) return joined();
        if (failure !== undefined) throw failure.error;
        if (isRead) return undefined;
        await readNext();
        if (rest !== undefined && endsBatch()) return joined();
      }
    },
    async () => void (await pieces.return()),
  );
}

function canJoin(one: RecordBatch, other: RecordBatch): boolean {
  return one.data.children.every((child: Data, at) => canJoinData(child, other.data.children[at] as Data));
}

function canJoinData(one: Data, other: Data): boolean {
  if (DataType.isUnion(one.type) || one.dictionary !== other.dictionary) return false;
  return one.children.every((child: Data, at) => canJoinData(child, other.children[at] as Data));
}
