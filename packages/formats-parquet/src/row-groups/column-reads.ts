import { type ByteRange, type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import type { SelectedColumn } from "@tfxio/arrow-encoding";
import type { ChunkCursor } from "./chunk-cursor.js";

/** A column of a row group that is being read. */
export interface ColumnRead {
  readonly column: SelectedColumn;
  /** One for each of its leaves. */
  readonly cursors: readonly ChunkCursor[];
  /** Uncompressed bytes of all its rows, as the footer declares. */
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
  /** Begins to fetch. The next `fetch` waits for it, and throws its error. */
  fetchAhead(wanted: WantedRows): void;
}

/** A fetch of pages from one file. `signal` cancels pending requests. */
export function createPageFetch(source: ByteSource, signal: AbortSignal): PageFetch {
  const joining = coalescing(source);
  let ahead: Promise<void> = Promise.resolve();

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
    }
  }

  return {
    async fetch(wanted) {
      await ahead;
      await read(wanted);
    },
    fetchAhead(wanted) {
      ahead = ahead.then(() => read(wanted));
      // `fetch` rethrows it, unless the reader stops first.
      ahead.catch(() => undefined);
    },
  };
}

function truncatedChunk(uri: string, { start, end }: ByteRange): RecordError {
  const message = `${uri} ends within the column chunk from byte ${start} to ${end}.`;
  return new RecordError("truncated-record", message, { reason: "page", uri, byteOffset: start });
}
