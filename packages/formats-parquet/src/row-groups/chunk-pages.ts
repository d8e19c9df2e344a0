import type { Limits } from "@tfxio/format";
import { type ByteRange, RecordError } from "@tfxio/wire";
import type { ColumnChunk } from "../footer/file-footer.js";
import type { PagePlace } from "../pruning/page-index.js";
import { damagedPage, readPageHeader } from "./page-header.js";
import type { RowSpan } from "./row-span.js";

/** Data pages of a chunk, or one; `bytes` has headers and values as they are stored. */
export interface Page extends RowSpan {
  readonly numValues: number;
  readonly bytes: Uint8Array;
}

/** The pages of a chunk that were fetched. */
export interface ChunkPages {
  readonly chunk: ColumnChunk;
  /** The dictionary page; empty for a chunk without one. */
  readonly dictionary: Uint8Array;
  /** In the order of their rows. Pages that no row needs are missing. */
  readonly pages: readonly Page[];
}

/** A chunk and what its pages are checked against. */
export interface ChunkContext {
  readonly chunk: ColumnChunk;
  /** Of its row group. */
  readonly numRows: number;
  /** True if each row is a value, or null: no level above it repeats. */
  readonly isFlat: boolean;
  readonly uri: string;
  readonly limits: Limits;
}

/**
 * The pages of a chunk whose bytes are all there. They are one page if their headers do not give their rows: pages of
 * version 1 with lists.
 * @throws {RecordError} as `readPageHeader`.
 */
export function pagesOfChunk(
  bytes: Uint8Array,
  { chunk, numRows, isFlat, uri, limits }: ChunkContext,
): ChunkPages {
  const { start: byteOffset, numValues } = chunk;
  const pages: Page[] = [];
  let dictionary = bytes.subarray(0, 0);
  let [at, row, left, hasRows] = [0, 0, numValues, true];
  let [first, last] = [0, 0];
  while (left > 0) {
    const header = readPageHeader({ bytes, start: byteOffset, uri }, at, left, limits);
    const own = bytes.subarray(at, header.end);
    if (header.kind === "dictionary") dictionary = own;
    if (header.kind === "data") {
      if (pages.length === 0) first = at;
      const rowsOfPage = isFlat ? header.numValues : header.numRows;
      hasRows &&= rowsOfPage !== undefined;
      const end = row + (rowsOfPage ?? 0);
      pages.push({ start: row, end, numValues: header.numValues, bytes: own });
      row = end;
      left -= header.numValues;
      last = header.end;
    }
    at = header.end;
  }
  if (hasRows && row === numRows) return { chunk, dictionary, pages };
  const whole = { start: 0, end: numRows, numValues, bytes: bytes.subarray(first, last) };
  return { chunk, dictionary, pages: [whole] };
}

/** The dictionary and the pages with these rows, as places in the file; the dictionary first if there is one. */
export function placesToFetch(
  { start }: ColumnChunk,
  places: readonly PagePlace[],
  spans: readonly RowSpan[],
): { readonly dictionary: ByteRange; readonly pages: readonly PagePlace[] } {
  const pages = places.filter((place) =>
    spans.some((span) => place.start < span.end && span.start < place.end),
  );
  return { dictionary: { start, end: places[0]?.startByte ?? start }, pages };
}

/**
 * Pages that were fetched by their places.
 * @throws {RecordError} as `readPageHeader`, and for a page that is not as the index describes it.
 */
export function pagesAtPlaces(
  dictionary: Uint8Array,
  fetched: readonly { readonly place: PagePlace; readonly bytes: Uint8Array }[],
  { chunk, isFlat, uri, limits }: ChunkContext,
): ChunkPages {
  if (dictionary.length > 0) readPageHeader({ bytes: dictionary, start: chunk.start, uri }, 0, 0, limits);
  const pages = fetched.map(({ place, bytes }): Page => {
    const { start, end, startByte } = place;
    const header = readPageHeader({ bytes, start: startByte, uri }, 0, chunk.numValues, limits);
    const numRows = isFlat ? header.numValues : header.numRows;
    const isAsIndexed =
      header.kind === "data" && header.end === bytes.length && (numRows ?? end - start) === end - start;
    if (isAsIndexed) return { start, end, numValues: header.numValues, bytes };
    throw damagedPage(
      uri,
      startByte,
      `is not the page of rows ${start} to ${end} that the page index describes`,
    );
  });
  return { chunk, dictionary, pages };
}

/** The least span with all rows of `span` that begins and ends between pages in each chunk. */
export function alignedSpan(
  chunks: readonly { readonly pages: readonly RowSpan[] }[],
  span: RowSpan,
): RowSpan {
  let [{ start, end }, isAligned] = [span, false];
  while (!isAligned) {
    isAligned = true;
    for (const page of chunks.flatMap(({ pages }) => pages)) {
      if (page.start >= end || page.end <= start || (page.start >= start && page.end <= end)) continue;
      [start, end] = [Math.min(start, page.start), Math.max(end, page.end)];
      isAligned = false;
    }
  }
  return { start, end };
}

export function truncatedChunk(uri: string, { start, end }: ByteRange): RecordError {
  const message = `${uri} ends within the column chunk from byte ${start} to ${end}.`;
  return new RecordError("truncated-record", message, { reason: "page", uri, byteOffset: start });
}
