import type { SelectedColumn } from "@tfxio/arrow-encoding";
import type { Limits } from "@tfxio/format";
import type { Predicate } from "@tfxio/schema";
import { type ByteRange, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import { COLUMN, type ColumnChunk, type RowGroup } from "../footer/file-footer.js";
import { integerOf, structOf } from "../footer/thrift.js";
import { ELEMENT, type StoredColumn } from "../footer/stored-columns.js";
import { offsetIndexPlace, type PagePlace, pagePlaces } from "../pruning/page-index.js";
import { createIndexFetch, type PrunedFile, rowsToRead } from "../pruning/rows-to-read.js";
import {
  alignedSpan,
  type ChunkContext,
  type ChunkPages,
  pagesAtPlaces,
  pagesOfChunk,
  placesToFetch,
  truncatedChunk,
} from "./chunk-pages.js";
import { intersectionOf, joinedOver, type RowSpan } from "./row-span.js";

const REPEATED = 2;
/** Spans of a row group that are decoded apart: each costs calls of the engine, so shorter gaps are read too. */
const MAX_SPANS = 64;

/** What is read of a file. */
export interface FileRead extends PrunedFile {
  readonly columns: readonly SelectedColumn[];
  readonly filter: Predicate | undefined;
}

/** Rows of a row group as they are stored. */
export interface FetchedGroup {
  readonly group: RowGroup;
  /** The rows that are read: ascending, disjoint. */
  readonly spans: readonly RowSpan[];
  /** Those columns that the file has. */
  readonly columns: readonly FetchedColumn[];
}

/** A column of a row group as it is stored. */
export interface FetchedColumn {
  readonly column: SelectedColumn;
  /** Of each of its leaves. */
  readonly chunks: readonly ChunkPages[];
  /** Decoded, of all rows, as far as the footer says. */
  readonly numBytes: number;
}

/**
 * Fetches the rows of a row group from its row `skip` on that may match the filter: whole chunks, or, where the file has a page
 * index, the pages with those rows. Ranges that lie close together are read as one. Checks the headers of all pages.
 * @throws {RecordError} as `rowsToRead` and `readPageHeader`; `truncated-record` (`page`).
 */
export async function fetchRowGroup(
  read: FileRead,
  group: RowGroup,
  skip: number,
  signal: AbortSignal | undefined,
): Promise<FetchedGroup> {
  const wanted = [{ start: skip, end: group.numRows }];
  const matching = read.filter === undefined ? wanted : await rowsToRead(read.filter, read, group, signal);
  const spans = intersectionOf(joinedOver(matching, group.numRows / MAX_SPANS), wanted);
  const stored = read.columns.filter(({ source }) => source >= 0);
  if (spans.length === 0 || stored.length === 0) return { group, spans, columns: [] };
  const columns = stored.map((column) => columnRead(column, read, group));
  const isWhole = spans[0]?.start === 0 && spans[0].end === group.numRows;
  const places = isWhole
    ? new Map<ColumnChunk, readonly PagePlace[]>()
    : await fetchPlaces(columns, read, group, signal);
  return { group, spans, columns: await fetchColumns(columns, places, { read, spans, signal }) };
}

interface ColumnRead {
  readonly column: SelectedColumn;
  readonly contexts: readonly ChunkContext[];
}

function columnRead(column: SelectedColumn, { footer, limits }: FileRead, group: RowGroup): ColumnRead {
  const { firstLeaf, leaves, elements } = footer.columns[column.source] as StoredColumn;
  const isFlat = elements.every((value) => integerOf(structOf(value)?.get(ELEMENT.repetition)) !== REPEATED);
  const { uri } = footer;
  const chunks = group.chunks.slice(firstLeaf, firstLeaf + leaves.length);
  for (const chunk of chunks) assertWithinLimit(chunk, uri, limits);
  return {
    column,
    contexts: chunks.map((chunk) => ({ chunk, numRows: group.numRows, isFlat, uri, limits })),
  };
}

/** The pages of columns all of whose chunks have an offset index. */
async function fetchPlaces(
  columns: readonly ColumnRead[],
  read: FileRead,
  group: RowGroup,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<ColumnChunk, readonly PagePlace[]>> {
  const { uri } = read.footer;
  const indexed = columns.flatMap(({ contexts }) => {
    const found = contexts.flatMap(({ chunk }) => {
      const place = offsetIndexPlace(chunk, uri, read.limits);
      return place === undefined ? [] : [{ chunk, place }];
    });
    return found.length === contexts.length ? found : [];
  });
  const bytes = await createIndexFetch(read, signal)(indexed.map(({ place }) => place));
  return new Map(
    indexed.map(({ chunk, place }) => {
      const index = { bytes: bytes.get(place) as Uint8Array, uri, byteOffset: place.start };
      return [chunk, pagePlaces(index, chunk, group.numRows)];
    }),
  );
}

async function fetchColumns(
  columns: readonly ColumnRead[],
  places: ReadonlyMap<ColumnChunk, readonly PagePlace[]>,
  {
    read,
    spans,
    signal,
  }: {
    readonly read: FileRead;
    readonly spans: readonly RowSpan[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly FetchedColumn[]> {
  /** Ranges to fetch, and how the bytes become pages. */
  const ranges: ByteRange[] = [];
  const plans = columns.map(({ column, contexts }) => {
    const known = contexts.flatMap(({ chunk }) => {
      const pages = places.get(chunk);
      return pages === undefined ? [] : [{ pages }];
    });
    // Leaves of a column are decoded together, so their pages are fetched for the same rows.
    const aligned = spans.map((span) => alignedSpan(known, span));
    const chunks = contexts.map((context) => {
      const first = ranges.length;
      const own = places.get(context.chunk);
      if (own === undefined) {
        ranges.push(context.chunk);
        return (bytes: readonly Uint8Array[]) => pagesOfChunk(bytes[first] as Uint8Array, context);
      }
      const wanted = placesToFetch(context.chunk, own, aligned);
      ranges.push(wanted.dictionary);
      for (const { startByte, endByte } of wanted.pages) ranges.push({ start: startByte, end: endByte });
      return (bytes: readonly Uint8Array[]) => {
        const fetched = wanted.pages.map((place, page) => ({
          place,
          bytes: bytes[first + 1 + page] as Uint8Array,
        }));
        return pagesAtPlaces(bytes[first] as Uint8Array, fetched, context);
      };
    });
    return { column, contexts, chunks };
  });
  const bytes = await slicesOf(coalescing(read.source), ranges, { signal });
  for (const [index, range] of ranges.entries()) {
    if ((bytes[index] as Uint8Array).length < range.end - range.start)
      throw truncatedChunk(read.footer.uri, range);
  }
  return plans.map(({ column, contexts, chunks }) => ({
    column,
    chunks: chunks.map((pagesFrom) => pagesFrom(bytes)),
    numBytes: contexts.reduce((sum, { chunk }) => sum + sizeOf(chunk), 0),
  }));
}

function sizeOf({ metadata }: ColumnChunk): number {
  return Math.max(0, integerOf(metadata.get(COLUMN.uncompressedBytes)) ?? 0);
}

function assertWithinLimit(
  { start, end, numValues }: ColumnChunk,
  uri: string,
  { maxPageBytes }: Limits,
): void {
  if (end - start <= maxPageBytes && numValues <= maxPageBytes) return;
  const message = `${uri}: the column chunk at byte ${start} declares ${end - start} bytes and ${numValues} values, the limit is ${maxPageBytes}.`;
  throw new RecordError("limit-exceeded", message, { reason: "page-length", uri, byteOffset: start });
}
