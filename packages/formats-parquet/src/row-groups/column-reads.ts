import { type ByteRange, type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import { freeBuffer } from "@tfxio/wire/kernels";
import type { SelectedColumn } from "@tfxio/arrow-encoding";
import type { ChunkCursor } from "./chunk-cursor.js";

/** A column of a row group that is being read. */
export interface ColumnRead {
  readonly column: SelectedColumn;
  /** One cursor for each leaf of the column. */
  readonly cursors: readonly ChunkCursor[];
  /** Approximate size in bytes of all rows of the column, decoded. */
  readonly numBytes: number;
}

/** A row number for each column. */
export type WantedRows = ReadonlyMap<ColumnRead, number>;

/** Fetches pages as rows are needed. Joins ranges that lie close together. */
export interface PageFetch {
  /**
   * Resolves when each column is in memory up to its row in `wanted` (exclusive).
   * @throws {RecordError} like `ChunkCursor.feed`; also `truncated-record` (`page`) if the file ends within a chunk.
   */
  fetch(wanted: WantedRows): Promise<void>;
  /**
   * Begins to fetch the next rows of each column. The next `fetch` waits for these rows, and throws if fetching them
   * failed. A long wait shows that the source is slow. Later calls then fetch more rows at a time, less often.
   * @param from The row from which each column is needed next.
   */
  fetchAhead(from: WantedRows, part: PartSize): void;
  /** Frees the memory of earlier fetches that no cursor of `columns` uses any more, if the source hands over its slices. */
  freeUnused(columns: readonly ColumnRead[]): void;
}

/** Limits on the rows to fetch ahead. */
export interface PartSize {
  /** Number of rows in a part. The rows of a part are decoded together. */
  readonly numRows: number;
  /** The row before which fetching stops. */
  readonly end: number;
}

/** Pace of the fetches from a source, shared by the row groups of a read. */
export interface FetchPace {
  /** Number of parts that are fetched together. Initially 1. */
  numPartsAhead: number;
}

/**
 * Maximum wait in milliseconds for a fetch that began one part ahead. After a longer wait, the source counts as slow. Local files
 * take about 1 ms.
 */
const SLOW_MS = 20;
/** Maximum number of parts (8 MiB each, decoded) to fetch together. Requests of a few megabytes hide a latency of 50 ms. */
const MAX_PARTS_AHEAD = 4;

/** Creates a fetch of pages from one file. `signal` cancels pending requests. */
export function createPageFetch(source: ByteSource, pace: FetchPace, signal: AbortSignal): PageFetch {
  const joining = coalescing(source);
  let ahead: Promise<void> = Promise.resolve();
  /** Buffers that cursors have received or made. */
  const buffers = new Set<ArrayBuffer>();

  async function read(wanted: WantedRows): Promise<void> {
    for (;;) {
      const reads = [...wanted].flatMap(([{ cursors }, row]) =>
        cursors.map((cursor) => ({ cursor, ranges: cursor.missing(row) })),
      );
      const ranges = reads.flatMap((one) => one.ranges);
      if (ranges.length === 0) return;
      const parts = await slicesOf(joining, ranges, { signal });
      for (const [index, range] of ranges.entries()) {
        if ((parts[index] as Uint8Array).length < range.end - range.start)
          throw truncatedChunk(source.uri, range);
      }
      let at = 0;
      for (const { cursor, ranges: own } of reads) {
        if (own.length > 0) cursor.feed(parts.slice(at, at + own.length));
        at += own.length;
      }
      for (const { buffer } of parts) buffers.add(buffer as ArrayBuffer);
    }
  }

  return {
    async fetch(wanted) {
      const before = performance.now();
      await ahead;
      if (performance.now() - before > SLOW_MS) {
        pace.numPartsAhead = Math.min(2 * pace.numPartsAhead, MAX_PARTS_AHEAD);
      }
      await read(wanted);
    },
    fetchAhead(from, { numRows, end }) {
      const wanted = new Map<ColumnRead, number>();
      for (const [column, row] of from) {
        const isPartAhead = column.cursors.every((cursor) => cursor.end >= Math.min(end, row + numRows));
        if (!isPartAhead) wanted.set(column, Math.min(end, row + pace.numPartsAhead * numRows));
      }
      ahead = ahead.then(() => read(wanted));
      // `fetch` rethrows the error, unless the reader stops first.
      ahead.catch(() => undefined);
    },
    freeUnused(columns) {
      if (source.handsOverSlices !== true) return;
      const used = new Set(columns.flatMap(({ cursors }) => cursors.flatMap((cursor) => buffersOf(cursor))));
      for (const buffer of buffers) if (!used.has(buffer)) freeBuffer(buffer);
      buffers.clear();
      for (const buffer of used) buffers.add(buffer);
    },
  };
}

function buffersOf({ held: { dictionary, pages }, pending }: ChunkCursor): readonly ArrayBuffer[] {
  return [dictionary, pending, ...pages.map(({ bytes }) => bytes)].map(({ buffer }) => buffer as ArrayBuffer);
}

function truncatedChunk(uri: string, { start, end }: ByteRange): RecordError {
  const message = `${uri} ends within a column chunk, in the part from byte ${start} to ${end}.`;
  return new RecordError("truncated-record", message, { reason: "page", uri, byteOffset: start });
}
