import type { SelectedColumn } from "@tfxio/arrow-encoding";
import type { Limits } from "@tfxio/format";
import type { Predicate } from "@tfxio/schema";
import { RecordError } from "@tfxio/wire";
import type { ColumnChunk, RowGroup } from "../footer/file-footer.js";
import { ELEMENT, type StoredColumn } from "../footer/stored-columns.js";
import { integerOf, structOf } from "../footer/thrift.js";
import { offsetIndexPlace, type PagePlace, pagePlaces } from "../pruning/page-index.js";
import { createIndexFetch, type PrunedFile, rowsToRead } from "../pruning/rows-to-read.js";
import type { ChunkContext } from "./chunk-cursor.js";
import { type ColumnRead, createPageFetch, type FetchPace, type PageFetch } from "./column-reads.js";
import { decodedBytes } from "./decoded-bytes.js";
import { indexedCursor } from "./indexed-cursor.js";
import { intersectionOf, joinedOver, type RowSpan } from "./row-span.js";
import { scanningCursor } from "./scanning-cursor.js";

/** Value of FieldRepetitionType for a repeated level. @see parquet-format `parquet.thrift` */
const REPEATED = 2;
/**
 * Approximate maximum number of spans of a row group. Gaps of fewer than `numRows / MAX_SPANS` rows are read too, because every
 * separate span costs calls to the engine.
 */
const MAX_SPANS = 64;
/**
 * Maximum size in bytes of a chunk with lists that is read without the page index if all rows are needed. A larger chunk is split
 * into pages by that index, because the page headers of lists may lack row counts.
 */
const MAX_UNINDEXED_BYTES = 2 ** 20;

/** The part of a file to read. */
export interface FileRead extends PrunedFile {
  readonly columns: readonly SelectedColumn[];
  readonly filter: Predicate | undefined;
  readonly pace: FetchPace;
}

/** A row group whose pages are fetched as its rows are decoded. */
export interface OpenedGroup {
  readonly group: RowGroup;
  /** The rows to read, as ascending, disjoint spans. */
  readonly spans: readonly RowSpan[];
  /** The requested columns that the file has. */
  readonly columns: readonly ColumnRead[];
  /** Number of rows to decode at a time, estimated from the sizes in the footer. */
  readonly rowsAtOnce: number;
  readonly pages: PageFetch;
}

/**
 * Approximate maximum size of a part, in decoded bytes. A part consists of rows that are decoded together, in all columns. A
 * reader holds about twice as much.
 */
const MAX_PART_BYTES = 8 * 2 ** 20;

/**
 * Opens a row group from its row `skip` on, and fetches the first rows that may match the filter. If only some rows are needed
 * and a column has a page index, only its pages with these rows are fetched.
 * @throws {RecordError} like `rowsToRead` and `PageFetch.fetch`; also `limit-exceeded` (`page-length`) for an oversized chunk.
 */
export async function openRowGroup(
  read: FileRead,
  group: RowGroup,
  skip: number,
  signal: AbortSignal,
): Promise<OpenedGroup> {
  const wanted = [{ start: skip, end: group.numRows }];
  const matching = read.filter === undefined ? wanted : await rowsToRead(read.filter, read, group, signal);
  const spans = intersectionOf(joinedOver(matching, group.numRows / MAX_SPANS), wanted);
  const pages = createPageFetch(read.source, read.pace, signal);
  const [first] = spans;
  const stored = read.columns.filter(({ source }) => source >= 0);
  if (first === undefined || stored.length === 0) {
    return { group, spans, columns: [], rowsAtOnce: group.numRows, pages };
  }
  const chunks = stored.map((column) => chunksOf(column, read, group));
  const isWhole = first.start === 0 && first.end === group.numRows;
  const indexed = isWhole ? chunks.filter(isLongWithLists) : chunks;
  const places = await fetchPlaces(indexed, read, group, signal);
  const columns = chunks.map((column) => columnRead(column, places, spans));
  const numBytes = columns.reduce((sum, column) => sum + column.numBytes, 0);
  const rowsAtOnce = Math.ceil(group.numRows / Math.max(1, Math.ceil(numBytes / MAX_PART_BYTES)));
  const firstEnd = Math.min(first.end, first.start + read.pace.numPartsAhead * rowsAtOnce);
  await pages.fetch(new Map(columns.map((column) => [column, firstEnd])));
  return { group, spans, columns, rowsAtOnce, pages };
}

/** A column and the chunks of its leaves. */
interface ColumnChunks {
  readonly column: SelectedColumn;
  readonly contexts: readonly ChunkContext[];
}

function isLongWithLists({ contexts }: ColumnChunks): boolean {
  return contexts.some(({ isFlat, chunk }) => !isFlat && chunk.end - chunk.start > MAX_UNINDEXED_BYTES);
}

function chunksOf(column: SelectedColumn, { footer, limits }: FileRead, group: RowGroup): ColumnChunks {
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

/** Fetches the page locations of each column whose chunks all have an offset index. */
async function fetchPlaces(
  columns: readonly ColumnChunks[],
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

function columnRead(
  { column, contexts }: ColumnChunks,
  places: ReadonlyMap<ColumnChunk, readonly PagePlace[]>,
  spans: readonly RowSpan[],
): ColumnRead {
  const known = contexts.flatMap(({ chunk }) => {
    const pages = places.get(chunk);
    return pages === undefined ? [] : [pages];
  });
  // Leaves of a column are decoded together, so their pages are fetched for the same rows.
  const aligned = spans.map((span) => alignedSpan(known, span));
  const cursors = contexts.map((context) => {
    const own = places.get(context.chunk);
    return own === undefined ? scanningCursor(context) : indexedCursor(context, own, aligned);
  });
  return { column, cursors, numBytes: contexts.reduce((sum, { chunk }) => sum + decodedBytes(chunk), 0) };
}

/** Returns the smallest span that contains `span` and begins and ends at page boundaries of every chunk. */
function alignedSpan(chunks: readonly (readonly RowSpan[])[], span: RowSpan): RowSpan {
  let [{ start, end }, isAligned] = [span, false];
  while (!isAligned) {
    isAligned = true;
    for (const page of chunks.flat()) {
      if (page.start >= end || page.end <= start || (page.start >= start && page.end <= end)) continue;
      [start, end] = [Math.min(start, page.start), Math.max(end, page.end)];
      isAligned = false;
    }
  }
  return { start, end };
}

function assertWithinLimit(
  { start, end, numValues }: ColumnChunk,
  uri: string,
  { maxPageBytes }: Limits,
): void {
  if (end - start <= maxPageBytes && numValues <= maxPageBytes) return;
  const message = `${uri}: the column chunk at byte ${start} declares ${end - start} bytes and ${numValues} values, but neither number may exceed maxPageBytes (${maxPageBytes}).`;
  throw new RecordError("limit-exceeded", message, { reason: "page-length", uri, byteOffset: start });
}
