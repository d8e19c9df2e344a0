import type { Limits } from "@tfxio/format";
import type { ColumnPath, Predicate, PredicateValue } from "@tfxio/schema";
import { type ByteRange, type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import { COLUMN, type ColumnChunk, type FileFooter, type RowGroup } from "../footer/file-footer.js";
import { integerOf } from "../footer/thrift.js";
import type { RowSpan } from "../row-groups/row-span.js";
import { type BloomFilter, parseBloomFilter, plainBytes } from "./bloom-filter.js";
import { type FilterColumn, filterColumn, testsOf } from "./filter-column.js";
import { type Evidence, rowsThatMayMatch } from "./may-match.js";
import {
  columnIndexPlace,
  type IndexPlace,
  offsetIndexPlace,
  pageEvidence,
  pagePlaces,
} from "./page-index.js";
import { chunkStatistics, plainForm } from "./statistics.js";

export interface PrunedFile {
  readonly source: ByteSource;
  readonly footer: FileFooter;
  /** Arrow schema of all columns in their stored form. */
  readonly arrowSchema: ArrowSchema;
  readonly limits: Limits;
}

/** Returns false only if the statistics in the footer rule out every row of the row group. */
export function mayMatchGroup(
  predicate: Predicate,
  { footer, arrowSchema }: Pick<PrunedFile, "footer" | "arrowSchema">,
  group: RowGroup,
): boolean {
  const evidenceOf = (path: ColumnPath): readonly Evidence[] | undefined => {
    const column = filterColumn(path, footer, arrowSchema);
    return column && [groupEvidence(column, group)];
  };
  return rowsThatMayMatch(predicate, group.numRows, evidenceOf).length > 0;
}

/**
 * Returns the rows of a row group that statistics, page indexes and bloom filters do not rule out. Fetches the page indexes of
 * the columns whose tests can rule out rows, and bloom filters only for `==` and `in`.
 * @throws {RecordError} `corrupt-record` (`page-index`, `bloom-filter`), `truncated-record` (`page-index`,
 * `bloom-filter`), `limit-exceeded` (`metadata-length`).
 */
export async function rowsToRead(
  predicate: Predicate,
  file: PrunedFile,
  group: RowGroup,
  signal: AbortSignal | undefined,
): Promise<readonly RowSpan[]> {
  const { footer, arrowSchema } = file;
  const evidence = new Map<number, readonly Evidence[]>();
  const equated = new Set<number>();
  const columns = new Map<number, FilterColumn>();
  for (const test of testsOf(predicate)) {
    const column = filterColumn(test.column, footer, arrowSchema);
    if (column === undefined) continue;
    columns.set(column.leafIndex, column);
    if (test.kind === "in" || (test.kind === "compare" && test.op === "==")) equated.add(column.leafIndex);
  }
  const fetch = createIndexFetch(file, signal);
  const reads = [...columns.values()].map((column) => {
    const chunk = group.chunks[column.leafIndex] as ColumnChunk;
    const isEquated = equated.has(column.leafIndex);
    return { column, chunk, places: indexPlaces(chunk, file, { wantsBloomFilter: isEquated }) };
  });
  const bytes = await fetch(reads.flatMap(({ places }) => Object.values(places)));
  for (const { column, chunk, places } of reads) {
    const stored = (place: ByteRange | undefined) =>
      place && { bytes: bytes.get(place) as Uint8Array, uri: footer.uri, byteOffset: place.start };
    const filterIndex = stored(places.bloomFilter);
    const filter = filterIndex && parseBloomFilter(filterIndex.bytes, footer.uri, filterIndex.byteOffset);
    const [bounds, offsets] = [stored(places.columnIndex), stored(places.offsetIndex)];
    const found =
      bounds === undefined || offsets === undefined
        ? [groupEvidence(column, group)]
        : pageEvidence(bounds, pagePlaces(offsets, chunk, group.numRows), column);
    const mayContain = filter && containment(filter, column);
    evidence.set(
      column.leafIndex,
      found.map((one) => ({ ...one, mayContain })),
    );
  }
  return rowsThatMayMatch(predicate, group.numRows, (path) => {
    const column = filterColumn(path, footer, arrowSchema);
    return column && evidence.get(column.leafIndex);
  });
}

/** Returns the statistics of a column in a row group, from the footer. */
function groupEvidence(column: FilterColumn, { chunks, numRows }: RowGroup): Evidence {
  const statistics = chunkStatistics(chunks[column.leafIndex] as ColumnChunk, column);
  return { start: 0, end: numRows, statistics };
}

interface IndexPlaces {
  readonly bloomFilter?: IndexPlace;
  readonly columnIndex?: IndexPlace;
  readonly offsetIndex?: IndexPlace;
}

/**
 * Returns the byte ranges of a chunk's indexes. The page bounds in the column index are unusable without the row numbers in the
 * offset index, so the two indexes are returned together or not at all.
 */
function indexPlaces(
  chunk: ColumnChunk,
  { footer: { uri }, limits }: PrunedFile,
  { wantsBloomFilter }: { readonly wantsBloomFilter: boolean },
): IndexPlaces {
  const bloomFilter = wantsBloomFilter ? bloomFilterPlace(chunk, uri, limits) : undefined;
  const [columnIndex, offsetIndex] = [
    columnIndexPlace(chunk, uri, limits),
    offsetIndexPlace(chunk, uri, limits),
  ];
  return {
    ...(bloomFilter !== undefined && { bloomFilter }),
    ...(columnIndex !== undefined && offsetIndex !== undefined && { columnIndex, offsetIndex }),
  };
}

/** Returns the byte range of the bloom filter. Undefined without a filter, or without its length, which older writers omit. */
function bloomFilterPlace(
  { metadata }: ColumnChunk,
  uri: string,
  { maxMetadataBytes }: Limits,
): IndexPlace | undefined {
  const start = integerOf(metadata.get(COLUMN.bloomFilter)) ?? 0;
  const length = integerOf(metadata.get(COLUMN.bloomFilterLength)) ?? 0;
  if (start <= 0 || length <= 0) return undefined;
  if (length > maxMetadataBytes) {
    const message = `${uri}: the bloom filter at byte ${start} declares ${length} bytes, but the limit maxMetadataBytes is ${maxMetadataBytes}.`;
    throw new RecordError("limit-exceeded", message, { reason: "metadata-length", uri, byteOffset: start });
  }
  return { start, end: start + length, reason: "bloom-filter" };
}

function containment(
  filter: BloomFilter,
  column: FilterColumn,
): ((value: PredicateValue) => boolean) | undefined {
  const form = plainForm(column);
  if (form === undefined || form === "boolean") return undefined;
  return (value) => {
    const plain = plainBytes(value, form);
    return plain === undefined || filter.mayContain(plain);
  };
}

/**
 * Returns a function that fetches byte ranges of a file. Ranges that lie close together share a request.
 * @throws {RecordError} `truncated-record` (`page-index`, `bloom-filter`), from the returned function, if the file ends within a
 *   range.
 */
export function createIndexFetch(
  { source, footer: { uri } }: PrunedFile,
  signal: AbortSignal | undefined,
): (places: readonly IndexPlace[]) => Promise<ReadonlyMap<ByteRange, Uint8Array>> {
  return async (places) => {
    const parts = await slicesOf(coalescing(source), places, { signal });
    return new Map(
      places.map((place, index) => {
        const bytes = parts[index] as Uint8Array;
        const { start, end, reason } = place;
        if (bytes.length === end - start) return [place, bytes];
        const what = reason === "page-index" ? "page index" : "bloom filter";
        const message = `${uri} ends before the end of the ${what} from byte ${start} to ${end}.`;
        throw new RecordError("truncated-record", message, { reason, uri, byteOffset: start });
      }),
    );
  };
}
