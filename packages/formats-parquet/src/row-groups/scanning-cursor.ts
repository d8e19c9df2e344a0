import type { ByteRange } from "@tfxio/wire";
import type { ChunkContext, ChunkCursor, Page } from "./chunk-cursor.js";
import { damagedPage, type PageHeader, readPageHeader } from "./page-header.js";
import { concatenated } from "./small-file.js";

/** Minimum size of a fetch in bytes, except at the end of a chunk. One request can thus fetch many small pages. */
const MIN_FETCH_BYTES = 2 ** 20;
const MIN_HEADER_BYTES = 64;

/**
 * Returns a cursor over a chunk without a page index. The cursor finds pages by their headers. If a header has no row count
 * (version 1 pages with lists), the cursor treats the rest of the chunk as one page. If the number of values of a flat column
 * differs from the number of rows, it treats the whole chunk as one page.
 */
export function scanningCursor({ chunk, numRows, isFlat, uri, limits }: ChunkContext): ChunkCursor {
  const bytesPerRow = (chunk.end - chunk.start) / Math.max(1, numRows);
  /** Fetched bytes that are not yet split into pages, and their offset in the file. */
  let pending: Uint8Array = new Uint8Array(0);
  let pendingStart = chunk.start;
  let fetchedTo = chunk.start;
  let numBytesNeeded = 0;
  let isUnsplit = isFlat && chunk.numValues !== numRows;
  let valuesLeft = chunk.numValues;
  let end = chunk.numValues === 0 ? numRows : 0;
  let dictionary: Uint8Array = new Uint8Array(0);
  let pages: Page[] = [];

  /**
   * Returns the header of the page at byte `at` of the pending bytes. Undefined after the last page, or until the page is in
   * memory.
   */
  function next(at: number): PageHeader | undefined {
    if (valuesLeft === 0) return undefined;
    const bytes = { bytes: pending, start: pendingStart, end: chunk.end, uri };
    const header = readPageHeader(bytes, at, valuesLeft, limits);
    if (header !== undefined && header.end <= pending.length) return header;
    numBytesNeeded = header === undefined ? 2 * (pending.length - at) + MIN_HEADER_BYTES : header.end - at;
    return undefined;
  }

  function cutPages(): void {
    let at = 0;
    for (let header = next(at); header !== undefined; header = next(at)) {
      const bytes = pending.subarray(at, header.end);
      if (header.kind === "dictionary") dictionary = new Uint8Array(bytes);
      if (header.kind === "data") {
        const rowsOfPage = isFlat ? header.numValues : header.numRows;
        isUnsplit = rowsOfPage === undefined;
        if (rowsOfPage === undefined) break;
        const start = end;
        end += rowsOfPage;
        valuesLeft -= header.numValues;
        if (end > numRows || (valuesLeft === 0 && end < numRows)) {
          const last = valuesLeft === 0 ? "is the last of its column chunk and " : "";
          const found = `${last}ends after ${end} rows of the chunk, but the row group has ${numRows}`;
          throw damagedPage(uri, pendingStart + at, found);
        }
        pages.push({ start, end, numValues: header.numValues, bytes });
      }
      at = header.end;
    }
    pending = pending.subarray(at);
    pendingStart += at;
  }

  function append(bytes: Uint8Array): void {
    pending = pending.length === 0 ? bytes : concatenated([pending, bytes]);
  }

  /** Treats the rest of the chunk, which is in memory, as one page. */
  function takeRest(): void {
    const numValues = valuesLeft;
    let [at, first] = [0, -1];
    for (let header = next(at); header !== undefined; header = next(at)) {
      if (header.kind === "dictionary") dictionary = pending.subarray(at, header.end);
      if (header.kind === "data" && first < 0) first = at;
      valuesLeft -= header.numValues;
      at = header.end;
    }
    pages.push({ start: end, end: numRows, numValues, bytes: pending.subarray(Math.max(first, 0), at) });
    end = numRows;
    pending = new Uint8Array(0);
  }

  return {
    get held() {
      return { chunk, dictionary, pages };
    },
    get pending() {
      return pending;
    },
    get end() {
      return end;
    },
    missing(row): readonly ByteRange[] {
      if (end >= row || valuesLeft === 0) return [];
      const estimate = Math.ceil((row - end) * bytesPerRow);
      const numBytes = isUnsplit
        ? chunk.end - fetchedTo
        : Math.max(MIN_FETCH_BYTES, Math.max(estimate, numBytesNeeded) - pending.length);
      const isNearEnd = chunk.end - fetchedTo - numBytes < MIN_FETCH_BYTES;
      return [{ start: fetchedTo, end: isNearEnd ? chunk.end : fetchedTo + numBytes }];
    },
    feed([bytes = new Uint8Array(0)]) {
      fetchedTo += bytes.length;
      let rest = bytes;
      while (!isUnsplit && valuesLeft > 0 && rest.length > 0) {
        // If the previous range ended within a page, that page is copied. Later pages are views of the new range.
        const part = pending.length === 0 ? rest : rest.subarray(0, numBytesNeeded - pending.length);
        rest = rest.subarray(part.length);
        append(part);
        cutPages();
      }
      if (!isUnsplit) return;
      if (fetchedTo < chunk.end) {
        // Fetch the rest of the chunk as a whole, although some of its bytes are in memory. Joining them to the bytes that are
        // still missing would take more memory.
        [pending, fetchedTo] = [new Uint8Array(0), pendingStart];
        return;
      }
      append(rest);
      takeRest();
    },
    dropBefore(row) {
      pages = pages.filter((page) => page.end > row);
    },
  };
}
