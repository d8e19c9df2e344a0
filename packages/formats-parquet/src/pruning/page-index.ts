import type { Limits } from "@tfxio/format";
import { type ByteRange, RecordError } from "@tfxio/wire";
import { CHUNK, type ColumnChunk } from "../footer/file-footer.js";
import { readThrift } from "../footer/read-thrift.js";
import {
  bytesOf,
  integerOf,
  listOf,
  structOf,
  T,
  type ThriftStruct,
  type ThriftValue,
} from "../footer/thrift.js";
import type { RowSpan } from "../row-groups/row-span.js";
import type { Evidence } from "./may-match.js";
import type { FilterColumn } from "./filter-column.js";
import { boundsOf } from "./statistics.js";

/** Ids of the fields of OffsetIndex, PageLocation and ColumnIndex. @see parquet-format `parquet.thrift` */
const OFFSET_INDEX = { places: 1 } as const;
const PLACE = { byteOffset: 1, numBytes: 2, firstRow: 3 } as const;
const COLUMN_INDEX = { nullPages: 1, min: 2, max: 3, nullCounts: 5 } as const;

/** A data page: its rows, and its byte range in the file. */
export interface PagePlace extends RowSpan {
  readonly startByte: number;
  readonly endByte: number;
}

/** The byte range of an index. An error in the index has this `reason`. */
export interface IndexPlace extends ByteRange {
  readonly reason: "page-index" | "bloom-filter";
}

/** Returns the byte range of the offset index, which locates pages. Undefined if the chunk has none. */
export function offsetIndexPlace(chunk: ColumnChunk, uri: string, limits: Limits): IndexPlace | undefined {
  return placeOf(chunk, [CHUNK.offsetIndex, CHUNK.offsetIndexLength], uri, limits);
}

/** Returns the byte range of the column index, which has the bounds of each page's values. Undefined if the chunk has none. */
export function columnIndexPlace(chunk: ColumnChunk, uri: string, limits: Limits): IndexPlace | undefined {
  return placeOf(chunk, [CHUNK.columnIndex, CHUNK.columnIndexLength], uri, limits);
}

function placeOf(
  { struct }: ColumnChunk,
  [offsetId, lengthId]: readonly [number, number],
  uri: string,
  { maxMetadataBytes }: Limits,
): IndexPlace | undefined {
  const start = integerOf(struct.get(offsetId));
  const length = integerOf(struct.get(lengthId));
  if (start === undefined || length === undefined || length === 0) return undefined;
  if (start < 0 || length < 0)
    throw damagedIndex(
      uri,
      start,
      `declares ${length} bytes, but neither the offset nor the length may be negative`,
    );
  if (length > maxMetadataBytes) {
    const message = `${uri}: the page index at byte ${start} declares ${length} bytes, but the limit maxMetadataBytes is ${maxMetadataBytes}.`;
    throw new RecordError("limit-exceeded", message, { reason: "metadata-length", uri, byteOffset: start });
  }
  return { start, end: start + length, reason: "page-index" };
}

/** A fetched index. */
export interface StoredIndex {
  readonly bytes: Uint8Array;
  readonly uri: string;
  readonly byteOffset: number;
}

/**
 * Returns the data pages of a chunk, which has `numRows` rows.
 * @throws {RecordError} `corrupt-record` (`page-index`) unless the pages are in ascending order in the chunk and cover all rows.
 */
export function pagePlaces(
  index: StoredIndex,
  { start, end }: ColumnChunk,
  numRows: number,
): readonly PagePlace[] {
  const stored = listOf(structOfIndex(index).get(OFFSET_INDEX.places)) ?? [];
  const places = stored.map((value) => {
    const struct = structOf(value);
    const numberOf = (id: number): number => integerOf(struct?.get(id)) ?? -1;
    const startByte = numberOf(PLACE.byteOffset);
    return { firstRow: numberOf(PLACE.firstRow), startByte, endByte: startByte + numberOf(PLACE.numBytes) };
  });
  if (places.length === 0 && numRows > 0)
    throw damagedIndex(index.uri, index.byteOffset, `has no pages for ${numRows} rows`);
  let [byte, row] = [start, 0];
  return places.map(({ firstRow, startByte, endByte }, page) => {
    const endRow = places[page + 1]?.firstRow ?? numRows;
    if (firstRow !== row || endRow < row || startByte < byte || endByte <= startByte || endByte > end) {
      const found = `has page ${page} with rows from ${firstRow} to ${endRow} in bytes ${startByte} to ${endByte}`;
      const expected = `expected rows from ${row} on, in at least one byte, within bytes ${byte} to ${end}`;
      throw damagedIndex(index.uri, index.byteOffset, `${found}, ${expected}`);
    }
    [byte, row] = [endByte, endRow];
    return { start: firstRow, end: endRow, startByte, endByte };
  });
}

/**
 * Returns the evidence about each page of a column.
 * @throws {RecordError} `corrupt-record` (`page-index`) unless the index covers exactly the pages of the chunk.
 */
export function pageEvidence(
  index: StoredIndex,
  places: readonly PagePlace[],
  column: FilterColumn,
): readonly Evidence[] {
  const struct = structOfIndex(index);
  const ofPages = (id: number): readonly ThriftValue[] => {
    const list = listOf(struct.get(id)) ?? [];
    if (list.length === places.length) return list;
    throw damagedIndex(index.uri, index.byteOffset, `covers ${list.length} pages, expected ${places.length}`);
  };
  const nullPages = ofPages(COLUMN_INDEX.nullPages);
  const [min, max] = [ofPages(COLUMN_INDEX.min), ofPages(COLUMN_INDEX.max)];
  const nullCounts = struct.has(COLUMN_INDEX.nullCounts) ? ofPages(COLUMN_INDEX.nullCounts) : undefined;
  return places.map(({ start, end }, page) => {
    const isAllNull = nullPages[page]?.type === T.bool && nullPages[page].value;
    return {
      start,
      end,
      statistics: {
        isAllNull,
        numNulls: integerOf(nullCounts?.[page]),
        bounds: isAllNull ? undefined : boundsOf(bytesOf(min[page]), bytesOf(max[page]), column),
      },
    };
  });
}

function structOfIndex({ bytes, uri, byteOffset }: StoredIndex): ThriftStruct {
  try {
    return readThrift(bytes).struct;
  } catch (cause) {
    throw damagedIndex(uri, byteOffset, "is not Thrift", cause);
  }
}

function damagedIndex(uri: string, byteOffset: number, found: string, cause?: unknown): RecordError {
  const message = `${uri}: the page index at byte ${byteOffset} ${found}.`;
  return new RecordError("corrupt-record", message, { reason: "page-index", uri, byteOffset, cause });
}
