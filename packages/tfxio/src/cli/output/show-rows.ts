import { plainRows, type PlainRow } from "@tfxio/arrow-encoding";
import { DataType, type Field, type RecordBatch } from "apache-arrow";
import type { Host } from "../host.js";
import { cellText, type StringMeaning } from "./cell-text.js";
import { tableText } from "./table.js";

/** Options of {@link showRows}. */
export interface ShowRowsOptions {
  /** Number of rows that were requested. */
  readonly limit: number;
  readonly json?: boolean;
  /** Characters per line. Default: the width of the terminal. */
  readonly width?: number;
}

/**
 * Shows rows as a table, or as JSON with one object per line. A table keeps all rows in memory, JSON only one batch. If reading
 * fails, shows the rows before the failure, then throws the error.
 */
export async function showRows(
  batches: AsyncIterable<RecordBatch>,
  options: ShowRowsOptions,
  host: Host,
): Promise<void> {
  if (options.json === true) {
    for await (const batch of batches) await writeJsonRows(plainRows(batch), host.stdout);
    return;
  }
  const fields = new Map<string, Field>();
  const rows: PlainRow[] = [];
  try {
    for await (const batch of batches) {
      // Without a schema, a column without values has type Null. Prefer the type from another batch.
      for (const field of batch.schema.fields)
        if (!fields.has(field.name) || typeText(field.type) !== "null") fields.set(field.name, field);
      rows.push(...plainRows(batch));
    }
  } catch (error) {
    if (rows.length > 0 && !host.signal.aborted) await writeTable(rows, [...fields.values()], options, host);
    throw error;
  }
  if (rows.length === 0) {
    // With a limit of 0, no rows are shown even if the data has some.
    if (options.limit > 0) await host.stderr.write("No rows.\n");
  } else await writeTable(rows, [...fields.values()], options, host);
}

/** Prints rows as a table whose second header line shows the types. */
async function writeTable(
  rows: readonly PlainRow[],
  fields: readonly Field[],
  { width }: ShowRowsOptions,
  { stdout }: Host,
): Promise<void> {
  const content = {
    head: fields.map(({ name }) => name),
    subhead: fields.map(({ type }) => typeText(type)),
    // A column that is missing from a batch is null in the rows of that batch.
    rows: rows.map((row) => fields.map(({ name, type }) => cellText(row[name] ?? null, stringsOf(type)))),
  };
  await stdout.write(
    tableText(content, { ...stdout, columns: width ?? stdout.columns, hasColour: stdout.hasColour }),
  );
}

/**
 * Returns the meaning of strings in a column. In a column of numbers, dates or times, a string stands for a value that is not
 * text, such as NaN, a large integer or a date.
 */
function stringsOf(type: DataType): StringMeaning {
  return /^(?:list )*(?:u?int|float|decimal|date|time|duration)/.test(typeText(type)) ? "number" : "text";
}

/** Writes rows as JSON, one per line. */
export async function writeJsonRows(rows: readonly PlainRow[], stdout: Host["stdout"]): Promise<void> {
  if (rows.length > 0) await stdout.write(`${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
}

function isAnyList(type: DataType): boolean {
  return DataType.isList(type) || DataType.isFixedSizeList(type) || DataType.isLargeList(type);
}

/** Formats a column's type. A list is shown as its items' type; each further list level adds the word `list`. */
function typeText(type: DataType): string {
  if (isAnyList(type)) {
    const [item] = type.children as [Field];
    return isAnyList(item.type) ? `list ${typeText(item.type)}` : typeText(item.type);
  }
  if (DataType.isStruct(type)) return "struct";
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return "bytes";
  return String(type).toLowerCase();
}
