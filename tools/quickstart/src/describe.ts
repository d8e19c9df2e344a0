import type { RecordBatch } from "apache-arrow";
import type { DataSummary } from "./read-all.js";

/** Maximum width of a cell, and of a table, in characters. */
const MAX_CELL = 24;
const MAX_WIDTH = 110;

/** Returns one line with the number of rows, bytes and files, and the reading speed. */
export function describeReading({ numRows, numBytes, numFiles, seconds }: DataSummary): string {
  const megabytes = numBytes / 1e6;
  const perSecond = `${whole(numRows / seconds)} records/s, ${(megabytes / seconds).toFixed(1)} MB/s`;
  const files = `${whole(numFiles)} ${numFiles === 1 ? "file" : "files"}`;
  return `${whole(numRows)} records, ${megabytes.toFixed(2)} MB in ${files}: ${perSecond}`;
}

/** Returns a table of the columns, with the numbers of present, null and empty rows, and the number of values. */
export function describeColumns({ columns }: DataSummary): string {
  const rows = [...columns].map(([name, column]) => [
    name,
    column.type,
    whole(column.numRows - column.numNulls),
    whole(column.numNulls),
    whole(column.numEmpty),
    whole(column.numValues),
  ]);
  return table([["column", "type", "present", "null", "empty", "values"], ...rows]);
}

/**
 * Returns the rows as a table. If the columns do not fit into 110 characters, returns several tables, one below the other. `null`
 * is a feature that is absent or has no kind, and `[]` is a feature with an empty list.
 */
export function describeRows(batch: RecordBatch): string {
  const names = batch.schema.names.map(String);
  const rows = Array.from({ length: batch.numRows }, (_, row) =>
    names.map((name) => formatCell(batch.getChild(name)?.get(row))),
  );
  const cells = [names, ...rows];
  const tables: string[] = [];
  for (let start = 0; start < names.length; ) {
    let end = start + 1;
    while (end < names.length && widthOf(cells, start, end + 1) <= MAX_WIDTH) end++;
    tables.push(table(cells.map((row) => row.slice(start, end))));
    start = end;
  }
  return tables.join("\n\n");
}

/** Formats a list. A list of one value has no brackets. Text of more than 24 characters is truncated. */
function formatCell(list: unknown): string {
  if (list === null || list === undefined) return "null";
  const values = [...(list as Iterable<unknown>)].map(formatValue);
  const text = values.length === 1 ? String(values[0]) : `[${values.join(", ")}]`;
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

function formatValue(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return ArrayBuffer.isView(value) ? new TextDecoder().decode(value as Uint8Array) : String(value);
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

/** Returns the width in characters of a table with the columns from `start` up to `end`, exclusive. */
function widthOf(cells: readonly (readonly string[])[], start: number, end: number): number {
  let width = 0;
  for (let column = start; column < end; column++) {
    width += 2 + Math.max(...cells.map((row) => (row[column] ?? "").length));
  }
  return width;
}

/** Formats rows of cells as text. Each column is padded to its widest cell. The first row is the header. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}`,
    )
    .join("\n");
}
