import { nullColumn, recordBatchOf, type SelectedColumn } from "@tfxio/arrow-encoding";
import { RecordError } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import { type EngineFile, readFile } from "../engine/engine.js";
import type { FileFooter, RowGroup } from "../footer/file-footer.js";
import { alignedSpan } from "./chunk-pages.js";
import type { FetchedColumn, FetchedGroup } from "./fetch-row-group.js";
import type { RowSpan } from "./row-span.js";
import { arrowSchemaEntry, arrowSchemaOf, smallFile } from "./small-file.js";

/** Decoded bytes of a batch: a row group that is larger is decoded in ranges of rows. */
const MAX_BATCH_BYTES = 32 * 2 ** 20;
/** The same with large columns whose pages do not give their rows: each range decodes the rows before it again. */
const MAX_UNSPLIT_BYTES = 128 * 2 ** 20;
/**
 * Decoded bytes that the engine holds at once, beside a copy as it hands them out: columns go to it a few at a time. It keeps
 * the most that it ever needed.
 */
const MAX_ENGINE_BYTES = 16 * 2 ** 20;

/** What the batches of a file are made of. */
export interface DecodedFile {
  readonly footer: FileFooter;
  readonly columns: readonly SelectedColumn[];
}

/** Rows of a row group. */
export interface DecodedRows {
  readonly rows: RowSpan;
  readonly batch: RecordBatch;
}

/** The rows that were fetched, in batches of any size. */
export async function* decodeRowGroup(
  file: DecodedFile,
  { group, spans, columns }: FetchedGroup,
  signal: AbortSignal | undefined,
): AsyncGenerator<DecodedRows, void, undefined> {
  const arrowSchema = arrowSchemaOf(file.columns);
  const numBytes = columns.reduce((sum, column) => sum + column.numBytes, 0);
  const isUnsplit = columns.some(
    (column) => column.numBytes > MAX_BATCH_BYTES && column.chunks.some(({ pages }) => pages.length === 1),
  );
  const numParts = Math.max(1, Math.ceil(numBytes / (isUnsplit ? MAX_UNSPLIT_BYTES : MAX_BATCH_BYTES)));
  const maxRows = Math.ceil(group.numRows / numParts);
  for (const span of spans) {
    for (let { start } = span; start < span.end; start += maxRows) {
      signal?.throwIfAborted();
      const rows = { start, end: Math.min(span.end, start + maxRows) };
      const decoded = await decodeRows(file.footer, group, columns, rows);
      const numRows = rows.end - rows.start;
      const children = file.columns.map(
        (column) => decoded.get(column) ?? nullColumn(column.field.type, numRows),
      );
      yield { rows, batch: recordBatchOf(arrowSchema, numRows, children) };
    }
  }
}

async function decodeRows(
  footer: FileFooter,
  group: RowGroup,
  columns: readonly FetchedColumn[],
  rows: RowSpan,
): Promise<ReadonlyMap<SelectedColumn, Data>> {
  const decoded = new Map<SelectedColumn, Data>();
  const limit = rows.end - rows.start;
  for (const { members, span } of engineCalls(columns, rows, group.numRows)) {
    const file = fileOf(members, span, { footer, group });
    const [batch, ...others] = await readFile(file, {
      offset: rows.start - span.start,
      limit,
      batchSize: limit,
    });
    const numRows = batch?.numRows ?? 0;
    if (numRows !== limit || others.length > 0) throw otherRows(file, limit, numRows);
    for (const [index, { column }] of members.entries())
      decoded.set(column, batch?.data.children[index] as Data);
  }
  return decoded;
}

/** Neighbouring columns that the engine decodes together, and the rows of their pages. */
interface EngineCall {
  readonly members: FetchedColumn[];
  readonly span: RowSpan;
}

function engineCalls(
  columns: readonly FetchedColumn[],
  rows: RowSpan,
  numRows: number,
): readonly EngineCall[] {
  const calls: EngineCall[] = [];
  let numBytes = 0;
  for (const column of columns) {
    const span = alignedSpan(column.chunks, rows);
    const added = (column.numBytes * (span.end - span.start)) / numRows;
    const last = calls.at(-1);
    numBytes += added;
    if (last?.span.start === span.start && last.span.end === span.end && numBytes <= MAX_ENGINE_BYTES) {
      last.members.push(column);
    } else {
      calls.push({ members: [column], span });
      numBytes = added;
    }
  }
  return calls;
}

function fileOf(
  members: readonly FetchedColumn[],
  span: RowSpan,
  { footer, group }: { readonly footer: FileFooter; readonly group: RowGroup },
): EngineFile {
  const columns = members.map(({ column }) => column);
  const chunks = members.flatMap((member) => member.chunks);
  return {
    bytes: smallFile({
      footer,
      columns: columns.map(({ source }) => source),
      arrowSchema: arrowSchemaEntry(arrowSchemaOf(columns)),
      rows: {
        group,
        numRows: span.end - span.start,
        chunks: chunks.map(({ pages, ...chunk }) => ({
          ...chunk,
          pages: pages.filter(({ start, end }) => start >= span.start && end <= span.end),
        })),
      },
    }),
    uri: footer.uri,
    recordIndex: group.firstRow,
    byteOffset: chunks[0]?.chunk.start ?? 0,
  };
}

function otherRows({ uri, recordIndex, byteOffset }: EngineFile, wanted: number, found: number): RecordError {
  const message = `${uri}: the row group that begins with row ${recordIndex} has ${found} rows where its footer says ${wanted}.`;
  return new RecordError("corrupt-record", message, { reason: "page", uri, recordIndex, byteOffset });
}
