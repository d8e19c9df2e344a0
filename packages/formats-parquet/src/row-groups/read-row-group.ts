import { nullColumn, recordBatchOf } from "@tfxio/arrow-encoding";
import type { Limits } from "@tfxio/format";
import { type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import { type EngineFile, readFile } from "../engine/engine.js";
import { COLUMN, type ColumnChunk, type FileFooter, type RowGroup } from "../footer/file-footer.js";
import { integerOf, type ThriftStruct } from "../footer/thrift.js";
import { arrowSchemaOf, type SelectedColumn } from "../selected-columns.js";
import { checkPages } from "./check-pages.js";
import { arrowSchemaEntry, chunksOf, smallFile } from "./small-file.js";

/** Decoded bytes of a batch: a row group that is larger is decoded in ranges of rows. */
const MAX_BATCH_BYTES = 128 * 2 ** 20;
/**
 * Decoded bytes that the engine holds at once, beside a copy as it hands them out: columns go to it a few at a time. It keeps
 * the most that it ever needed.
 */
const MAX_ENGINE_BYTES = 16 * 2 ** 20;

/** What is read of a file. */
export interface FileRead {
  readonly source: ByteSource;
  readonly footer: FileFooter;
  readonly columns: readonly SelectedColumn[];
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
}

/** Rows of a row group, from its row `skip` on, in batches of any size. Ranges that lie close together are read as one. */
export async function* readRowGroup(
  { source, footer, columns, limits, signal }: FileRead,
  group: RowGroup,
  skip: number,
): AsyncGenerator<RecordBatch, void, undefined> {
  const arrowSchema = arrowSchemaOf(columns);
  const stored = columns.filter(({ source: at }) => at >= 0);
  if (stored.length === 0) {
    const numRows = group.numRows - skip;
    yield recordBatchOf(
      arrowSchema,
      numRows,
      columns.map(({ field }) => nullColumn(field.type, numRows)),
    );
    return;
  }
  const fetched = await fetchColumns({ source, footer, columns: stored, limits, signal }, group);
  const numBytes = fetched.reduce((sum, column) => sum + column.numBytes, 0);
  for (const range of rowRanges(group.numRows, numBytes, skip)) {
    const decoded = new Map<SelectedColumn, Data>();
    for (const members of engineCalls(fetched)) {
      signal?.throwIfAborted();
      const file = fileOf(members, footer, group);
      const [batch, ...others] = await readFile(file, { ...range, batchSize: range.limit });
      const numRows = batch?.numRows ?? 0;
      if (numRows !== range.limit || others.length > 0) throw otherRows(file, range.limit, numRows);
      for (const [index, { column }] of members.entries())
        decoded.set(column, batch?.data.children[index] as Data);
    }
    const children = columns.map(
      (column) => decoded.get(column) ?? nullColumn(column.field.type, range.limit),
    );
    yield recordBatchOf(arrowSchema, range.limit, children);
  }
}

/** A column of a row group as it is stored. */
interface FetchedColumn {
  readonly column: SelectedColumn;
  readonly chunks: readonly ColumnChunk[];
  /** Of each chunk. */
  readonly bytes: readonly Uint8Array[];
  /** Decoded, as far as the footer says. */
  readonly numBytes: number;
}

/** Fetches the chunks of columns that the file has, and checks their pages. */
async function fetchColumns(
  { source, footer, columns, limits, signal }: FileRead,
  group: RowGroup,
): Promise<readonly FetchedColumn[]> {
  const { uri } = footer;
  const chunksOfColumns = columns.map(({ source: at }) => chunksOf(footer, [at], group));
  const chunks = chunksOfColumns.flat();
  for (const chunk of chunks) assertWithinLimit(chunk, uri, limits);
  const bytes = await slicesOf(coalescing(source), chunks, { signal });
  for (const [index, part] of bytes.entries()) {
    const chunk = chunks[index] as ColumnChunk;
    if (part.length < chunk.end - chunk.start) throw truncated(uri, chunk);
    checkPages(part, chunk, uri, limits);
  }
  let at = 0;
  return columns.map((column, index) => {
    const own = chunksOfColumns[index] as readonly ColumnChunk[];
    const numBytes = own.reduce((sum, { metadata }) => sum + sizeOf(metadata), 0);
    at += own.length;
    return { column, chunks: own, bytes: bytes.slice(at - own.length, at), numBytes };
  });
}

function sizeOf(metadata: ThriftStruct): number {
  return Math.max(0, integerOf(metadata.get(COLUMN.uncompressedBytes)) ?? 0);
}

/** Neighbouring columns that the engine decodes together. */
function engineCalls(columns: readonly FetchedColumn[]): readonly (readonly FetchedColumn[])[] {
  const calls: FetchedColumn[][] = [];
  let numBytes = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    numBytes += column.numBytes;
    if (numBytes > MAX_ENGINE_BYTES) {
      calls.push([]);
      numBytes = column.numBytes;
    }
    calls.at(-1)?.push(column);
  }
  return calls;
}

function fileOf(members: readonly FetchedColumn[], footer: FileFooter, group: RowGroup): EngineFile {
  const columns = members.map(({ column }) => column);
  return {
    bytes: smallFile({
      footer,
      columns: columns.map(({ source }) => source),
      arrowSchema: arrowSchemaEntry(arrowSchemaOf(columns)),
      group,
      chunks: members.flatMap(({ bytes }) => bytes),
    }),
    uri: footer.uri,
    recordIndex: group.firstRow,
    byteOffset: members[0]?.chunks[0]?.start ?? 0,
  };
}

/** Ranges of rows whose decoded columns are not too large for memory. */
function rowRanges(
  numRows: number,
  numBytes: number,
  skip: number,
): readonly { readonly offset: number; readonly limit: number }[] {
  const size = Math.ceil(numRows / Math.max(1, Math.ceil(numBytes / MAX_BATCH_BYTES)));
  const ranges: { readonly offset: number; readonly limit: number }[] = [];
  for (let offset = skip; offset < numRows; offset += size) {
    ranges.push({ offset, limit: Math.min(size, numRows - offset) });
  }
  return ranges;
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

function truncated(uri: string, { start, end }: ColumnChunk): RecordError {
  const message = `${uri} ends within the column chunk from byte ${start} to ${end}.`;
  return new RecordError("truncated-record", message, { reason: "page", uri, byteOffset: start });
}

function otherRows({ uri, recordIndex, byteOffset }: EngineFile, wanted: number, found: number): RecordError {
  const message = `${uri}: the row group that begins with row ${recordIndex} has ${found} rows where its footer says ${wanted}.`;
  return new RecordError("corrupt-record", message, { reason: "page", uri, recordIndex, byteOffset });
}
