import { nullColumn, recordBatchOf } from "@tfxio/arrow-encoding";
import type { Limits } from "@tfxio/format";
import { type ByteSource, coalescing, RecordError, slicesOf } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { type EngineFile, readFile } from "../engine/engine.js";
import { COLUMN, type ColumnChunk, type FileFooter, type RowGroup } from "../footer/file-footer.js";
import { integerOf } from "../footer/thrift.js";
import { arrowSchemaOf, type SelectedColumn } from "../selected-columns.js";
import { checkPages } from "./check-pages.js";
import { arrowSchemaEntry, chunksOf, smallFile } from "./small-file.js";

/** Decoded bytes that are held at once: a row group that is larger is decoded in parts. */
const MAX_DECODED_BYTES = 128 * 2 ** 20;

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
  const { uri } = footer;
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
  const positions = stored.map(({ source: at }) => at);
  const chunks = chunksOf(footer, positions, group);
  for (const chunk of chunks) assertWithinLimit(chunk, uri, limits);
  const bytes = await slicesOf(coalescing(source), chunks, { signal });
  for (const [index, part] of bytes.entries()) {
    const chunk = chunks[index] as ColumnChunk;
    if (part.length < chunk.end - chunk.start) throw truncated(uri, chunk);
    checkPages(part, chunk, uri, limits);
  }
  const file: EngineFile = {
    bytes: smallFile({
      footer,
      columns: positions,
      arrowSchema: arrowSchemaEntry(arrowSchemaOf(stored)),
      group,
      chunks: bytes,
    }),
    uri,
    recordIndex: group.firstRow,
    byteOffset: chunks[0]?.start ?? 0,
  };
  for (const range of rowRanges(group, chunks, skip)) {
    let numRows = 0;
    for (const batch of await readFile(file, { ...range, batchSize: range.limit })) {
      numRows += batch.numRows;
      const children = columns.map((column) => {
        const found = batch.data.children[stored.indexOf(column)];
        return found ?? nullColumn(column.field.type, batch.numRows);
      });
      yield recordBatchOf(arrowSchema, batch.numRows, children);
    }
    if (numRows !== range.limit) throw missingRows(file, range.limit, numRows);
  }
}

/** Ranges of rows whose decoded columns are not too large for memory. */
function rowRanges(
  { numRows }: RowGroup,
  chunks: readonly ColumnChunk[],
  skip: number,
): readonly { readonly offset: number; readonly limit: number }[] {
  const numBytes = chunks.reduce(
    (sum, { metadata }) => sum + Math.max(0, integerOf(metadata.get(COLUMN.uncompressedBytes)) ?? 0),
    0,
  );
  const numParts = Math.max(1, Math.ceil(numBytes / MAX_DECODED_BYTES));
  const size = Math.ceil(numRows / numParts);
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

function missingRows(
  { uri, recordIndex, byteOffset }: EngineFile,
  wanted: number,
  found: number,
): RecordError {
  const message = `${uri}: the row group that begins with row ${recordIndex} has ${found} rows where its footer says ${wanted}.`;
  return new RecordError("corrupt-record", message, { reason: "page", uri, recordIndex, byteOffset });
}
