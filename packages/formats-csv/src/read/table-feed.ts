import { ArgumentError, type ByteSource, decompressed } from "@tfxio/wire";
import type { CsvKernel, CsvTable, TableLimits, TablePlan, TablePush } from "../kernels/csv-kernel.js";
import { CsvStatus } from "../kernels/csv-kernel.js";
import type { CsvOptions } from "../options.js";
import { type CsvPlace, statusError } from "./csv-errors.js";

/** A part of a file. The first byte of the part begins a record. */
export interface FilePart {
  /** First uncompressed byte, and the end (exclusive). Without an end, the part reaches the end of the file. */
  readonly start: number;
  readonly end?: number | undefined;
  /** Number of the file's records before the part; undefined if not counted. */
  readonly firstRecord: number | undefined;
}

export interface TableFeed {
  readonly source: ByteSource;
  readonly part: FilePart;
  readonly options: CsvOptions;
  readonly kernel: CsvKernel;
  readonly table: TablePlan;
  /** Number of records to skip at the start of the part. */
  readonly numToPass?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a push, with the position of its input. */
export interface FedPush extends TablePush {
  /** Offset of the input in the uncompressed bytes of the file. */
  readonly inputStart: number;
  /** @param record Index of the record among the records of the push, if known. */
  placeOf(recordStart: number, record: number | undefined): CsvPlace;
}

/**
 * Skips the first `numToPass` records of a part, and feeds the others to a table. `limits` is called before each push to this
 * table, with the position of the push's input. `onPush` handles the result of each push before the next one. If `onPush` returns
 * a value other than undefined, that value is yielded.
 * @throws {RecordError} for a damaged compressed file, or a record that the table rejects. `onPush` first handles the records
 *   before the failure.
 * @throws {ArgumentError} `invalid-argument` (`behind-end`) if there are fewer records than `numToPass`.
 */
export async function* feedTable<Item>(
  feed: TableFeed,
  limits: (inputStart: number) => TableLimits,
  onPush: (pushed: FedPush, table: CsvTable, isEnd: boolean) => Item | undefined,
): AsyncGenerator<Item, void, undefined> {
  const { source, part, kernel, numToPass = 0 } = feed;
  const { uri } = source;
  const { maxRecordBytes, numCells: expectedCells } = feed.table;
  const passing: TablePlan = { ...feed.table, kinds: [], numCells: 0, keepsBounds: false };
  let table = kernel.createTable(numToPass > 0 ? passing : feed.table);
  let isPassing = numToPass > 0;
  let inputStart = part.start;
  let recordIndex = part.firstRecord;
  let retryAt = 0;

  function* take(isLast: boolean): Generator<Item, void, undefined> {
    for (;;) {
      const size = table.numPending;
      const passLimits = { maxRows: numToPass, maxBytes: Number.MAX_SAFE_INTEGER };
      const pushed = table.push(isLast, isPassing ? passLimits : limits(inputStart));
      const start = inputStart;
      const firstRecord = recordIndex;
      const placeOf = (recordStart: number, record: number | undefined): CsvPlace => ({
        uri,
        byteOffset: start + recordStart,
        recordIndex: firstRecord === undefined || record === undefined ? undefined : firstRecord + record,
      });
      inputStart += pushed.consumed;
      if (recordIndex !== undefined) recordIndex += pushed.numRecords;
      const isEnd = isLast && table.numPending === 0 && !pushed.isFull;
      const item = isPassing ? undefined : onPush({ ...pushed, inputStart: start, placeOf }, table, isEnd);
      if (item !== undefined) yield item;
      const failed = { numCells: pushed.numCells, expectedCells, maxRecordBytes };
      const isTooLong = pushed.consumed === 0 && !pushed.isFull && size > maxRecordBytes;
      const status = isTooLong ? CsvStatus.recordTooLong : pushed.status;
      if (status !== CsvStatus.ok)
        throw statusError(status, failed, placeOf(pushed.failedAt, pushed.numRecords));
      if (isPassing && pushed.isFull) {
        const rest = table.input(pushed.consumed, size);
        table = kernel.createTable(feed.table);
        append(rest);
        isPassing = false;
      } else if (!pushed.isFull) {
        // If the next record is longer than the input, try again once the input has doubled.
        retryAt = pushed.consumed === 0 ? 2 * size : 0;
        return;
      }
    }
  }

  const append = (bytes: Uint8Array): void => {
    if (table.append(bytes)) return;
    const found = { numCells: 0, expectedCells, maxRecordBytes };
    throw statusError(CsvStatus.batchTooLarge, found, { uri, byteOffset: inputStart, recordIndex });
  };

  for await (const chunk of bytesOfPart(feed)) {
    if (chunk !== undefined) append(chunk);
    if (chunk === undefined || table.numPending >= retryAt) yield* take(false);
  }
  yield* take(true);
  if (isPassing) throw behindEnd(uri, numToPass);
}

function behindEnd(uri: string, row: number): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `${uri} has fewer than ${row} rows in this split, so reading cannot start at row ${row}.`,
    {
      argument: "from",
      reason: "behind-end",
    },
  );
}

/** Yields the bytes of a part. If a read fails, yields undefined before throwing, so that no pending record is lost. */
async function* bytesOfPart(feed: TableFeed): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  const { source, part, options, signal } = feed;
  const { start, end = Number.POSITIVE_INFINITY } = part;
  let at = start;
  if (at >= end) return;
  const { compression } = options;
  try {
    for await (const chunk of decompressed(source, { compression, start, signal, reuseChunks: true })) {
      const size = Math.min(chunk.length, end - at);
      at += size;
      yield chunk.subarray(0, size);
      if (at === end) return;
    }
  } catch (error) {
    signal?.throwIfAborted();
    yield undefined;
    throw error;
  }
}
