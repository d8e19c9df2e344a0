import type { Limits } from "@tfxio/format";
import type { ByteRange } from "@tfxio/wire";
import type { ColumnChunk } from "../footer/file-footer.js";
import type { RowSpan } from "./row-span.js";

/** One or more consecutive data pages of a chunk, as stored, with their headers. */
export interface Page extends RowSpan {
  readonly numValues: number;
  readonly bytes: Uint8Array;
}

/** The pages of a chunk that are in memory. */
export interface ChunkPages {
  readonly chunk: ColumnChunk;
  /** The dictionary page. Empty for a chunk without one. */
  readonly dictionary: Uint8Array;
  /** In ascending order of rows. Pages without requested rows may be missing. */
  readonly pages: readonly Page[];
}

/** A chunk, and the facts that its pages are checked against. */
export interface ChunkContext {
  readonly chunk: ColumnChunk;
  /** Number of rows in its row group. */
  readonly numRows: number;
  /** True if each row is one value or null, because no level of the column repeats. */
  readonly isFlat: boolean;
  readonly uri: string;
  readonly limits: Limits;
}

/** Reads a chunk in the order of its rows, a few pages at a time. It requests byte ranges, which the caller fetches. */
export interface ChunkCursor {
  /** The pages in memory. */
  readonly held: ChunkPages;
  /** Bytes in memory that are not yet part of a page. */
  readonly pending: Uint8Array;
  /** All requested rows before this row have been fetched. */
  readonly end: number;
  /** Returns the ranges to fetch so that {@link end} moves towards row `row`. Empty if `end` has reached it. */
  missing(row: number): readonly ByteRange[];
  /**
   * Takes the bytes of the ranges that `missing` last returned. Borrows them until the pages are dropped.
   * @throws {RecordError} like `readPageHeader`; also `corrupt-record` (`page`) for a page that contradicts the page index or the
   * row count of the row group.
   */
  feed(parts: readonly Uint8Array[]): void;
  /** Releases the pages whose rows all come before row `row`. */
  dropBefore(row: number): void;
}

/**
 * Returns the first row at or after `row` where a page ends in one of the chunks. If decoding stops there, no page of that chunk
 * is decoded twice.
 */
export function pageEndAfter(chunks: readonly ChunkPages[], row: number): number {
  const ends = chunks.map(({ pages }) => pages.find(({ end }) => end >= row)?.end ?? row);
  return Math.min(...ends);
}

/**
 * Returns the last row at or before `row` at which every chunk begins a page. Decoding must start there, because all leaves of a
 * column are decoded from the same row.
 */
export function commonStart(chunks: readonly ChunkPages[], row: number): number {
  for (let start = row; ; ) {
    const before = start;
    for (const { pages } of chunks) {
      const page = pages.find(({ end }) => end > start);
      if (page !== undefined && page.start < start) ({ start } = page);
    }
    if (start === before) return start;
  }
}
