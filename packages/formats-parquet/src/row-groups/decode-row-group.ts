import { nullColumn, recordBatchOf, type SelectedColumn } from "@tfxio/arrow-encoding";
import { RecordError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { type EngineFile, readFile } from "../engine/engine.js";
import type { FileFooter, RowGroup } from "../footer/file-footer.js";
import { commonStart, pageEndAfter } from "./chunk-cursor.js";
import type { ColumnRead } from "./column-reads.js";
import { type DecodedPiece, decodedPieces } from "./decoded-piece.js";
import type { OpenedGroup } from "./open-row-group.js";
import type { RowSpan } from "./row-span.js";
import { arrowSchemaEntry, arrowSchemaOf, smallFile } from "./small-file.js";

/**
 * Maximum number of decoded bytes of one column at a time. The limit takes effect only if a page exceeds it, or if a chunk cannot
 * be split into pages.
 */
const MAX_COLUMN_BYTES = 16 * 2 ** 20;
/** Maximum decoded bytes of columns that share a call to the engine. The engine holds two copies, and never releases memory. */
const MAX_ENGINE_BYTES = 4 * 2 ** 20;

/** A file to decode, and its selected columns. */
export interface DecodedFile {
  readonly footer: FileFooter;
  readonly columns: readonly SelectedColumn[];
}

/** Rows of a row group. */
export interface DecodedRows {
  readonly rows: RowSpan;
  /** Valid until the next rows are requested, except for dictionaries, which stay valid. */
  readonly batch: RecordBatch;
}

/**
 * Yields the rows of `opened.spans` in batches of any size. If possible, each column is decoded up to the end of a page, so that
 * few pages are decoded twice. Rows are yielded once they are decoded in all columns.
 */
export async function* decodeRowGroup(
  file: DecodedFile,
  opened: OpenedGroup,
  signal: AbortSignal | undefined,
): AsyncGenerator<DecodedRows, void, undefined> {
  const { group, columns, rowsAtOnce, pages } = opened;
  const arrowSchema = arrowSchemaOf(file.columns);
  const pieces = new Map<SelectedColumn, DecodedPiece>();
  for (const span of opened.spans) {
    for (let row = span.start; row < span.end; ) {
      signal?.throwIfAborted();
      const due = columns.filter(({ column }) => (pieces.get(column)?.end ?? 0) <= row);
      const goals = new Map(due.map((column) => [column, goalOf(column, row, { span, opened })]));
      await pages.fetch(goals);
      const runs = due.map((column) => runOf(column, row, goals.get(column) as number, { span, group }));
      const next = new Map(runs.map(({ member, end }) => [member, end]));
      pages.fetchAhead(next, { numRows: rowsAtOnce, end: span.end });
      for (const call of engineCalls(runs, group)) {
        for (const [column, piece] of await decoded(call, row, file.footer, group)) {
          pieces.get(column)?.release();
          pieces.set(column, piece);
        }
      }
      pages.freeUnused(columns);
      const end = columns.reduce(
        (least, { column }) => Math.min(least, (pieces.get(column) as DecodedPiece).end),
        span.end,
      );
      const children = file.columns.map((column) => {
        const piece = pieces.get(column);
        if (piece === undefined) return nullColumn(column.field.type, end - row);
        return row === piece.start && end === piece.end
          ? piece.data
          : piece.data.slice(row - piece.start, end - row);
      });
      yield { rows: { start: row, end }, batch: recordBatchOf(arrowSchema, end - row, children) };
      row = end;
    }
  }
  for (const { release } of pieces.values()) release();
  pages.freeUnused([]);
}

/** The rows of a column to decode, up to `end`. Decoding starts at row `start`, where all leaves begin a page. */
interface Run extends RowSpan {
  readonly member: ColumnRead;
}

/** A span of rows, and the row group that contains it. */
interface Within {
  readonly span: RowSpan;
  readonly group: RowGroup;
}

/**
 * Returns the row up to which a column is decoded next. If the leaves have no common page start nearby, earlier rows must be
 * decoded again. At least as many new rows are then decoded, so that the work stays proportional to the number of rows.
 */
function goalOf(
  { cursors, numBytes }: ColumnRead,
  row: number,
  { span, opened: { rowsAtOnce, group } }: { readonly span: RowSpan; readonly opened: OpenedGroup },
): number {
  const start = commonStart(
    cursors.map(({ held }) => held),
    row,
  );
  const again = Math.min(row - start, maxRowsOf(numBytes, group));
  return Math.min(span.end, row + Math.max(rowsAtOnce, again));
}

function runOf(member: ColumnRead, row: number, goal: number, { span, group }: Within): Run {
  const held = member.cursors.map((cursor) => cursor.held);
  const maxEnd = row + Math.max(maxRowsOf(member.numBytes, group), 1);
  return {
    member,
    start: commonStart(held, row),
    end: Math.min(span.end, maxEnd, pageEndAfter(held, goal)),
  };
}

/** Returns the number of rows that take about {@link MAX_COLUMN_BYTES} when they are decoded. */
function maxRowsOf(numBytes: number, { numRows }: RowGroup): number {
  return Math.ceil((numRows * MAX_COLUMN_BYTES) / Math.max(1, numBytes));
}

/**
 * Groups neighbours in `runs` that have the same start and end. Each group is decoded by one call to the engine. A group has at
 * most {@link MAX_ENGINE_BYTES} in total, unless a single run has more.
 */
function engineCalls(runs: readonly Run[], { numRows }: RowGroup): readonly (readonly Run[])[] {
  const calls: Run[][] = [];
  let numBytes = 0;
  for (const run of runs) {
    const { start, end, member } = run;
    const added = (member.numBytes * (end - start)) / numRows;
    const last = calls.at(-1);
    const [first] = last ?? [];
    numBytes += added;
    if (first?.start === start && first.end === end && numBytes <= MAX_ENGINE_BYTES) last?.push(run);
    else {
      calls.push([run]);
      numBytes = added;
    }
  }
  return calls;
}

async function decoded(
  runs: readonly Run[],
  row: number,
  footer: FileFooter,
  group: RowGroup,
): Promise<readonly (readonly [SelectedColumn, DecodedPiece])[]> {
  const [{ start, end }] = runs as readonly [Run];
  const file = fileOf(runs, { footer, group });
  const limit = end - row;
  const { batches, buffer } = await readFile(file, { offset: row - start, limit, batchSize: limit });
  const [batch, ...others] = batches;
  if (batch?.numRows !== limit || others.length > 0) throw otherRows(file, limit, batch?.numRows ?? 0);
  const pieces = decodedPieces(batch.data.children, { start: row, end }, buffer);
  return runs.map(({ member: { column, cursors } }, index) => {
    const needed = commonStart(
      cursors.map(({ held }) => held),
      end,
    );
    for (const cursor of cursors) cursor.dropBefore(needed);
    return [column, pieces[index] as DecodedPiece];
  });
}

function fileOf(
  runs: readonly Run[],
  { footer, group }: { readonly footer: FileFooter; readonly group: RowGroup },
): EngineFile {
  const [{ start, end }] = runs as readonly [Run];
  const columns = runs.map(({ member }) => member.column);
  const chunks = runs.flatMap(({ member }) => member.cursors.map(({ held }) => held));
  return {
    parts: smallFile({
      footer,
      columns: columns.map(({ source }) => source),
      arrowSchema: arrowSchemaEntry(arrowSchemaOf(columns)),
      rows: {
        group,
        numRows: end - start,
        chunks: chunks.map(({ pages, ...chunk }) => ({
          ...chunk,
          pages: pages.filter((page) => page.end > start && page.start < end),
        })),
      },
    }),
    uri: footer.uri,
    recordIndex: group.firstRow,
    byteOffset: chunks[0]?.chunk.start ?? 0,
  };
}

function otherRows({ uri, recordIndex, byteOffset }: EngineFile, wanted: number, found: number): RecordError {
  const message = `${uri}: decoded ${found} rows of the row group that begins with row ${recordIndex}, expected ${wanted}.`;
  return new RecordError("corrupt-record", message, { reason: "page", uri, recordIndex, byteOffset });
}
