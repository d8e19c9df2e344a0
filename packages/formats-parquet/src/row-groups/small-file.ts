import type { SelectedColumn } from "@tfxio/arrow-encoding";
import { RecordBatchStreamWriter, Schema as ArrowSchema } from "apache-arrow";
import { CHUNK, COLUMN, FILE, type FileFooter, GROUP, type RowGroup } from "../footer/file-footer.js";
import type { ChunkPages } from "./chunk-cursor.js";
import { ELEMENT, type StoredColumn } from "../footer/stored-columns.js";
import {
  bytesOf,
  integerOf,
  listOf,
  structOf,
  T,
  textOf,
  type ThriftValue,
  withFields,
} from "../footer/thrift.js";
import { writeThrift } from "../footer/write-thrift.js";

/** The 4 bytes with which a Parquet file begins and ends. */
export const MAGIC: Uint8Array = new TextEncoder().encode("PAR1");
const ARROW_SCHEMA = "ARROW:schema";
/** Converted type INTERVAL: months, days and milliseconds. Arrow has no type with these units. */
const INTERVAL = 21;
const REQUIRED = 0;

/** The part of another file that a small file contains. */
export interface SmallFile {
  readonly footer: FileFooter;
  /** Positions of the small file's columns in the other file. */
  readonly columns: readonly number[];
  /** Metadata entry with the Arrow schema of these columns, made by `arrowSchemaEntry` or taken from the other file. */
  readonly arrowSchema: ThriftValue | undefined;
  /** Absent for a file without rows. */
  readonly rows?: SmallRowGroup;
}

/** The single row group of a small file. */
export interface SmallRowGroup {
  /** The row group of the other file that contains the rows. */
  readonly group: RowGroup;
  readonly numRows: number;
  /** The pages with these rows, for each leaf of the columns. */
  readonly chunks: readonly ChunkPages[];
}

/**
 * Makes a Parquet file in memory from fetched pages of some columns of a row group. The engine reads only whole files, and a
 * small file lets it decode a part of a larger one.
 * @returns the file in parts. Pages are borrowed.
 */
export function smallFile({ footer, columns, arrowSchema, rows }: SmallFile): readonly Uint8Array[] {
  const parts: Uint8Array[] = [MAGIC];
  let offset = MAGIC.length;
  const chunks = rows?.chunks.map((chunk): ThriftValue => {
    const bytes = [chunk.dictionary, ...chunk.pages.map((page) => page.bytes)];
    const numBytes = bytes.reduce((sum, { length }) => sum + length, 0);
    parts.push(...bytes);
    offset += numBytes;
    return smallChunk(chunk, offset - numBytes, numBytes);
  });
  const rowGroup = rows && {
    type: T.struct,
    value: withFields(rows.group.struct, {
      [GROUP.columns]: { type: T.list, of: T.struct, value: chunks ?? [] },
      [GROUP.numRows]: { type: T.i64, value: rows.numRows },
      [GROUP.fileOffset]: undefined,
      [GROUP.sortingColumns]: undefined,
    }),
  };
  const thrift = writeThrift(
    withFields(footer.struct, {
      [FILE.schema]: { type: T.list, of: T.struct, value: schemaElements(footer, columns) },
      [FILE.numRows]: { type: T.i64, value: rows?.numRows ?? 0 },
      [FILE.rowGroups]: { type: T.list, of: T.struct, value: rowGroup === undefined ? [] : [rowGroup] },
      [FILE.keyValues]: arrowSchema && { type: T.list, of: T.struct, value: [arrowSchema] },
      [FILE.columnOrders]: undefined,
    }),
  );
  return [...parts, thrift, trailerOf(thrift)];
}

export function arrowSchemaOf(columns: readonly SelectedColumn[]): ArrowSchema {
  return new ArrowSchema(columns.map(({ field }) => field));
}

/** Returns an Arrow schema as a metadata entry of a file. @see Arrow C++ `parquet/arrow/writer.cc`, `GetSchemaMetadata` */
export function arrowSchemaEntry(schema: ArrowSchema): ThriftValue {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  let binary = "";
  for (const byte of writer.finish().toUint8Array(true)) binary += String.fromCharCode(byte);
  const utf8 = new TextEncoder();
  const value = new Map<number, ThriftValue>([
    [1, { type: T.binary, value: utf8.encode(ARROW_SCHEMA) }],
    [2, { type: T.binary, value: utf8.encode(btoa(binary)) }],
  ]);
  return { type: T.struct, value };
}

/**
 * Returns the metadata entry with the Arrow schema, if any. It preserves types that Parquet lacks, such as large types and
 * date64.
 */
export function storedArrowSchema({ struct }: FileFooter): ThriftValue | undefined {
  const entries = listOf(struct.get(FILE.keyValues)) ?? [];
  const entry = entries.find((value) => textOf(structOf(value)?.get(1)) === ARROW_SCHEMA);
  return bytesOf(structOf(entry)?.get(2)) === undefined ? undefined : entry;
}

/** Returns the last 8 bytes of a file: the length of its footer and the magic number. */
export function trailerOf(thrift: Uint8Array): Uint8Array {
  const trailer = new Uint8Array(8);
  new DataView(trailer.buffer).setUint32(0, thrift.length, true);
  trailer.set(MAGIC, 4);
  return trailer;
}

/** Returns the chunk's metadata with `offset` as the start of its bytes, but without statistics and indexes. */
function smallChunk(
  { chunk: { struct, metadata }, dictionary, pages }: ChunkPages,
  offset: number,
  numBytes: number,
): ThriftValue {
  const place = (value: number): ThriftValue => ({ type: T.i64, value });
  const numValues = pages.reduce((sum, page) => sum + page.numValues, 0);
  return {
    type: T.struct,
    value: withFields(struct, {
      [CHUNK.fileOffset]: place(offset),
      [CHUNK.metadata]: {
        type: T.struct,
        value: withFields(metadata, {
          [COLUMN.numValues]: place(numValues),
          [COLUMN.compressedBytes]: place(numBytes),
          [COLUMN.dataPage]: place(offset + dictionary.length),
          [COLUMN.dictionaryPage]: dictionary.length === 0 ? undefined : place(offset),
          [COLUMN.indexPage]: undefined,
          [COLUMN.statistics]: undefined,
          [COLUMN.bloomFilter]: undefined,
          [COLUMN.bloomFilterLength]: undefined,
        }),
      },
      [CHUNK.offsetIndex]: undefined,
      [CHUNK.offsetIndexLength]: undefined,
      [CHUNK.columnIndex]: undefined,
      [CHUNK.columnIndexLength]: undefined,
    }),
  };
}

/** Returns the schema of these columns, in the form that the engine understands. */
function schemaElements(footer: FileFooter, columns: readonly number[]): readonly ThriftValue[] {
  const [root] = listOf(footer.struct.get(FILE.schema)) as readonly ThriftValue[];
  const numChildren = { type: T.i32, value: columns.length } as const;
  const newRoot = withFields(structOf(root) ?? new Map(), { [ELEMENT.numChildren]: numChildren });
  const elements = columns.flatMap((column) => (footer.columns[column] as StoredColumn).elements);
  const hasArrowSchema = storedArrowSchema(footer) !== undefined;
  return [
    { type: T.struct, value: newRoot },
    ...elements.map((value) => understood(value, { hasArrowSchema })),
  ];
}

/**
 * Sets a missing repetition type to `required`, which other readers assume. Removes the type INTERVAL if the file has no Arrow
 * schema: the engine would drop the months, so the column is read as 12 raw bytes.
 */
function understood(
  element: ThriftValue,
  { hasArrowSchema }: { readonly hasArrowSchema: boolean },
): ThriftValue {
  const struct = structOf(element) ?? new Map<number, ThriftValue>();
  const isInterval = integerOf(struct.get(ELEMENT.convertedType)) === INTERVAL;
  const lacksRepetition = !struct.has(ELEMENT.repetition);
  if (!lacksRepetition && (hasArrowSchema || !isInterval)) return element;
  const repetition = struct.get(ELEMENT.repetition) ?? { type: T.i32, value: REQUIRED };
  const convertedType = isInterval && !hasArrowSchema ? undefined : struct.get(ELEMENT.convertedType);
  return {
    type: T.struct,
    value: withFields(struct, {
      [ELEMENT.repetition]: repetition,
      [ELEMENT.convertedType]: convertedType,
    }),
  };
}

/** Returns a copy of all parts in one array. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
