import type { BatchWriter, WriterContext } from "@tfxio/format";
import { type ByteTarget, compressedTarget } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import { bytesOf } from "./dialect.js";
import { cellError, nameError } from "./encode/cell-error.js";
import { type AppendCell, columnCells, type ColumnSyntax } from "./encode/column-cells.js";
import { columnSyntaxes, headerQuoting } from "./encode/column-syntax.js";
import { QUOTING_PROBLEMS } from "./encode/quoting.js";
import { TextBuffer } from "./encode/text-buffer.js";
import type { CsvEncodeOptions } from "./encode-options.js";

/** Number of buffered bytes at which records are written to the target. Larger buffers mean fewer writes but more memory. */
const CHUNK_BYTES = 1 << 18;

/**
 * Creates a writer that writes each row as a CSV record. A column is flat or a list. A list must hold at most one value, unless
 * the column is in `multivalentColumns`. Supported types are integers, floats, booleans, text, bytes, decimals, dates, times and
 * timestamps, and dictionaries of them. Durations are written as integers in their own unit.
 *
 * - Integers are exact. Floats have the fewest digits that read back as the same value of their type.
 * - Dates and times are written in ISO 8601, booleans as `true` or `false`, and non-finite floats as `nan`, `inf` or `-inf`.
 * - Text is unchanged. Escaping text that spreadsheets would read as formulas is up to the caller.
 * - Empty text in the only column is quoted, because readers skip empty lines.
 * - Null is the first of `nullMarkers`, unquoted. A value equal to one of them is quoted. It then stays distinct from null for
 *   readers that honour quotes, such as the reader of this package with `quotedNulls: false`.
 *
 * @throws {ArgumentError} or {SchemaError} at once, for options or column names that {@link columnSyntaxes} rejects.
 * @throws {ConversionError} `not-convertible` at once, if a column name in the header needs quotes or an escape that the options
 *   do not allow: `needs-quotes`, `needs-escape`, `line-break`.
 * @throws {UnsupportedError} `unsupported` (`column-type`) at once, for structs, nested lists, maps, unions and intervals.
 * @throws {ConversionError} from `write`: `not-convertible`, with column and row, for values that the options cannot represent:
 *   `empty-list`, `many-values`, `null-item`, `null-cell`, `not-utf8`, `date-range`, `needs-quotes`, `needs-escape`,
 *   `line-break`, `blank-record`.
 * @see RFC 4180
 */
export function writeCsv(
  target: ByteTarget,
  { arrowSchema, options }: WriterContext<CsvEncodeOptions>,
): BatchWriter {
  const { lineEnd, header, compression, skipBlankLines } = options;
  const columns = columnSyntaxes(arrowSchema, options);
  const text = new TextBuffer();
  if (header && columns.length > 0) appendHeader(columns, options, text);
  const named = target.uri.endsWith(".gz") ? "gzip" : "none";
  const stored = compressedTarget(target, compression === "auto" ? named : compression);
  const delimiter = bytesOf(options.delimiter);

  const flush = async (): Promise<void> => {
    if (text.length === 0) return;
    await stored.write(text.bytes);
    text.truncate(0);
  };
  const appendRow = (appendCells: readonly AppendCell[], row: number): void => {
    const start = text.length;
    try {
      for (let column = 0; column < appendCells.length; column++) {
        if (column > 0) text.appendAll(delimiter);
        (appendCells[column] as AppendCell)(row);
      }
      if (text.length === start && skipBlankLines) throw blankRecord(columns, row);
    } catch (error) {
      // Keep only whole records.
      text.truncate(start);
      throw error;
    }
    text.appendAscii(lineEnd);
  };

  return {
    async write(batch: RecordBatch): Promise<void> {
      const { children } = batch.data;
      const appendCells = columns.map((column, index) => columnCells(children[index] as Data, column, text));
      for (let row = 0; row < batch.numRows; row++) {
        appendRow(appendCells, row);
        if (text.length >= CHUNK_BYTES) await flush();
      }
      await flush();
    },
    async finish(): Promise<void> {
      await flush();
      await stored.finish();
    },
  };
}

function appendHeader(columns: readonly ColumnSyntax[], options: CsvEncodeOptions, text: TextBuffer): void {
  const encoder = new TextEncoder();
  columns.forEach(({ field }, index) => {
    if (index > 0) text.appendAll(bytesOf(options.delimiter));
    const start = text.length;
    text.appendAll(encoder.encode(field.name));
    const reason = headerQuoting(options, index)(text, start);
    if (reason !== undefined) throw nameError(field.name, reason, QUOTING_PROBLEMS[reason]);
  });
  text.appendAscii(options.lineEnd);
}

/**
 * Returns the error for a null or an empty list that would make the line empty. RFC 4180 does not define empty lines, and readers
 * skip them. Quotes do not help, because a quoted cell is text.
 */
function blankRecord(columns: readonly ColumnSyntax[], row: number): Error {
  const name = columns[0]?.field.name ?? "";
  const problem =
    "is null or an empty list, so the line would be empty, and readers skip empty lines; " +
    "use non-empty strings as the first of `nullMarkers` and as `emptyListText`";
  return cellError(name, row, "blank-record", problem);
}
