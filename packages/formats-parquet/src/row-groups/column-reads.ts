import { type ByteRange, type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import { freeBuffer } from "@tfxio/wire/kernels";
import type { SelectedColumn } from "@tfxio/arrow-encoding";
import type { ChunkCursor } from "./chunk-cursor.js";

/** A column of a row group that is being read. */
export interface ColumnRead {
  readonly column: SelectedColumn;
  /** One for each of its leaves. */
  readonly cursors: readonly ChunkCursor[];
  /** About how many bytes all its rows take when decoded. */
  readonly numBytes: number;
}

/** The row up to which each column is wanted in memory. */
export type WantedRows = ReadonlyMap<ColumnRead, number>;

/** Fetches pages as rows are needed. Ranges that lie close together are read as one. */
export interface PageFetch {
  /**
   * Resolves once all wanted rows are in memory.
   * @throws {RecordError} as `ChunkCursor.feed`, and `truncated-record` (`page`) for a chunk that the file cuts off.
   */
  fetch(wanted: WantedRows): Promise<void>;
  /**
   * Begins to fetch the next rows of each column. The next `fetch` waits for it, and throws its error. A source for which `fetch`
   * has to wait is slow: it is asked for more rows, less often.
   * @param from The row from which each column is needed next.
   */
  fetchAhead(from: WantedRows, part: PartSize): void;
  /** Frees the memory of earlier fetches that no cursor of `columns` uses any more, if the source hands it over. */
  freeUnused(columns: readonly ColumnRead[]): void;
}

/** The rows to fetch ahead. */
export interface PartSize {
  /** Number of rows that are decoded at a time. */
  readonly numRows: number;
  /** The row before which fetching stops. */
  readonly end: number;
}

/** Pace of the fetches from a source, shared by the row groups of a read. It starts at 1. */
export interface FetchPace {
  /** Number of parts that are fetched together. */
  numPartsAhead: number;
}

/** A source is slow if the reader waits this long for a fetch that was begun a part ahead. Local files take about 1 ms. */
const SLOW_MS = 20;
/** Parts of 8 MB (decoded) that are fetched together from a slow source: some megabytes a request, which hide 50 ms of delay. */
const MAX_PARTS_AHEAD = 4;

/** A fetch of pages from one file. `signal` cancels pending requests. */
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
      // `fetch` rethrows it, unless the reader stops first.
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
  const message = `${uri} ends within the column chunk from byte ${start} to ${end}.`;
  return new RecordError("truncated-record", message, { reason: "page", uri, byteOffset: start });
}
