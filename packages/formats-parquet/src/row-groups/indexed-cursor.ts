import type { ByteRange } from "@tfxio/wire";
import type { PagePlace } from "../pruning/page-index.js";
import type { ChunkContext, ChunkCursor, Page } from "./chunk-cursor.js";
import { damagedPage, readPageHeader } from "./page-header.js";
import type { RowSpan } from "./row-span.js";

/**
 * Returns a cursor over the pages of a chunk that hold rows of `spans`. The page index locates the pages.
 * @param places All data pages of the chunk, ascending.
 */
export function indexedCursor(
  { chunk, numRows, isFlat, uri, limits }: ChunkContext,
  places: readonly PagePlace[],
  spans: readonly RowSpan[],
): ChunkCursor {
  const wanted = places.filter((place) =>
    spans.some((span) => place.start < span.end && span.start < place.end),
  );
  const dictionaryPlace = { start: chunk.start, end: places[0]?.startByte ?? chunk.start };
  let numFetched = 0;
  let asked: readonly PagePlace[] = [];
  let isBegun = false;
  let dictionary: Uint8Array = new Uint8Array(0);
  let pages: Page[] = [];

  function pageAt({ start, end, startByte, endByte }: PagePlace, bytes: Uint8Array): Page {
    const pageBytes = { bytes, start: startByte, end: endByte, uri };
    const header = readPageHeader(pageBytes, 0, chunk.numValues, limits);
    const numRowsOfPage = isFlat ? header?.numValues : header?.numRows;
    const isAsIndexed =
      header?.kind === "data" &&
      header.end === bytes.length &&
      (numRowsOfPage ?? end - start) === end - start;
    if (isAsIndexed) return { start, end, numValues: header.numValues, bytes };
    const found = `is not the page of rows ${start} to ${end} that the page index describes`;
    throw damagedPage(uri, startByte, found);
  }

  const cursor: ChunkCursor = {
    pending: new Uint8Array(0),
    get held() {
      return { chunk, dictionary, pages };
    },
    get end() {
      return wanted[numFetched]?.start ?? numRows;
    },
    missing(row): readonly ByteRange[] {
      const end = wanted.findIndex((place) => place.start >= row);
      asked = wanted.slice(numFetched, end === -1 ? undefined : end);
      if (asked.length === 0) return [];
      const pageRanges = asked.map(({ startByte, endByte }) => ({ start: startByte, end: endByte }));
      return isBegun ? pageRanges : [dictionaryPlace, ...pageRanges];
    },
    feed(parts) {
      const [first, ...rest] = parts;
      const ofPages = isBegun ? parts : rest;
      if (!isBegun && first !== undefined && first.length > 0) {
        readPageHeader({ ...dictionaryPlace, bytes: first, uri }, 0, 0, limits);
        // Copy the dictionary, so that it does not keep the surrounding pages in memory.
        dictionary = new Uint8Array(first);
      }
      isBegun = true;
      for (const [index, place] of asked.entries()) pages.push(pageAt(place, ofPages[index] as Uint8Array));
      numFetched += asked.length;
      asked = [];
    },
    dropBefore(row) {
      pages = pages.filter((page) => page.end > row);
    },
  };
  return cursor;
}
