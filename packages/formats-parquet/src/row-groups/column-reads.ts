import { type ByteRange, type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import { freeBuffer } from "@tfxio/wire/kernels";
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
  /** Frees the memory of earlier fetches that no cursor of `columns` uses any more, if the source hands it over. */
  freeUnused(columns: readonly ColumnRead[]): void;
}

/** A fetch of pages from one file. `signal` cancels pending requests. */
export function createPageFetch(source: ByteSource, signal: AbortSignal): PageFetch {
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
      await ahead;
      await read(wanted);
    },
    fetchAhead(wanted) {
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
