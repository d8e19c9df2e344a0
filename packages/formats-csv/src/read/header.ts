import { type ByteSource, RecordError, SchemaError } from "@tfxio/wire";
import { dialectOf } from "../dialect.js";
import { CellKind, CsvStatus, type TablePlan } from "../kernels/csv-kernel.js";
import { createTypescriptTable } from "../kernels/typescript/typescript-table.js";
import type { CsvOptions } from "../options.js";
import { assertText } from "./assert-text.js";
import { statusError } from "./csv-errors.js";
import { readHead } from "./source-head.js";

/** Names of the columns of a file, and the position at which its data starts. */
export interface CsvHeader {
  /** Names of the columns, in file order; empty for a file without a record, unless `columnNames` gives names. */
  readonly names: readonly string[];
  /** Start of the data, in uncompressed bytes. */
  readonly dataStart: number;
}

/** Size in bytes of the first read for a header. Most headers are shorter. */
const FIRST_BYTES: number = 64 * 1024;
/** Byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];

export interface HeaderReading {
  readonly source: ByteSource;
  readonly options: CsvOptions;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the start of a file: byte order mark, lines to skip, and the record of names unless `columnNames` is set.
 * @throws {SchemaError} `schema-invalid` (`header-name`) for an empty or repeated name, unless `onBadName` is `"number"`.
 * @throws {RecordError} `limit-exceeded` (`metadata-length`), `truncated-record` (`unclosed-quote`), `malformed-payload`
 *   (`quoted-line-break`, `not-csv-text`). Also throws if a compressed file is damaged before the end of the header.
 */
export async function readHeader({ source, options, maxBytes, signal }: HeaderReading): Promise<CsvHeader> {
  for (let numBytes = Math.min(FIRST_BYTES, maxBytes); ; numBytes = Math.min(numBytes * 4, maxBytes)) {
    const head = await readHead(source, numBytes, options, signal);
    assertText(head.bytes, source.uri);
    const header = headerIn(head.bytes, head.isWhole, options, source.uri);
    if (header !== undefined) return header;
    if (head.damage !== undefined) throw head.damage;
    if (numBytes < maxBytes) continue;
    throw new RecordError(
      "limit-exceeded",
      `${source.uri}: the header is longer than ${maxBytes} bytes (maxMetadataBytes).`,
      {
        reason: "metadata-length",
        uri: source.uri,
        byteOffset: 0,
      },
    );
  }
}

/** Parses the header. Returns undefined if `bytes` end before the header does. */
function headerIn(
  bytes: Uint8Array,
  isWhole: boolean,
  options: CsvOptions,
  uri: string,
): CsvHeader | undefined {
  const afterMark = MARK.every((byte, index) => bytes[index] === byte) ? MARK.length : 0;
  const start = linesEnd(bytes, afterMark, options.skipLines);
  if (start === undefined && !isWhole) return undefined;
  if (start === undefined) return { names: options.columnNames ?? [], dataStart: bytes.length };
  if (options.columnNames !== null) return { names: options.columnNames, dataStart: start };
  const record = firstRecord(bytes.subarray(start), isWhole, { options, uri, byteOffset: start });
  if (record === undefined) return isWhole ? { names: [], dataStart: bytes.length } : undefined;
  const utf8 = new TextDecoder();
  const names = record.cells.map((cell) => utf8.decode(cell));
  return { names: checkedNames(names, options, uri), dataStart: start + record.consumed };
}

/** Returns the start of the line after the first `numLines` lines; undefined if these lines may extend beyond `bytes`. */
function linesEnd(bytes: Uint8Array, start: number, numLines: number): number | undefined {
  let at = start;
  for (let line = 0; line < numLines; line++) {
    while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
    // A CR at the end may be the first half of a CRLF.
    if (at >= bytes.length - 1 && bytes[at] !== 10) return undefined;
    at += bytes[at] === 13 && bytes[at + 1] === 10 ? 2 : 1;
  }
  return at;
}

interface HeaderPlace {
  readonly options: CsvOptions;
  readonly uri: string;
  readonly byteOffset: number;
}

/** Returns the cells of the first record and the number of bytes up to its end; undefined if no record is complete. */
function firstRecord(
  bytes: Uint8Array,
  isWhole: boolean,
  { options, uri, byteOffset }: HeaderPlace,
): { cells: Uint8Array[]; consumed: number } | undefined {
  const dialect = { ...dialectOf(options), skipBlankLines: true };
  const plan: Omit<TablePlan, "kinds"> = {
    dialect,
    nullMarkers: [],
    quotedNulls: true,
    numCells: 0,
    skipsBadRows: false,
    keepsBounds: true,
    maxRecordBytes: Number.MAX_SAFE_INTEGER,
  };
  const push = (kinds: readonly CellKind[]) => {
    const table = createTypescriptTable({ ...plan, kinds });
    table.append(bytes);
    return { table, pushed: table.push(isWhole, { maxRows: 1, maxBytes: Number.MAX_SAFE_INTEGER }) };
  };
  // The first push only counts the cells.
  const { table, pushed } = push([]);
  if (pushed.status !== CsvStatus.ok) {
    const expected = { numCells: 0, expectedCells: 0, maxRecordBytes: 0 };
    throw statusError(pushed.status, expected, { uri, byteOffset: byteOffset + pushed.failedAt });
  }
  if (table.numRows === 0) return undefined;
  const { table: kept } = push(Array.from({ length: pushed.numCells }, () => CellKind.bytes));
  const cells = Array.from(
    { length: pushed.numCells },
    (_, index) => kept.column(index).data ?? new Uint8Array(0),
  );
  return { cells, consumed: pushed.consumed };
}

/** @throws {SchemaError} `schema-invalid` (`header-name`). */
function checkedNames(names: readonly string[], { onBadName }: CsvOptions, uri: string): readonly string[] {
  const used = new Set<string>();
  const found = new Set(names);
  // Next number to try for each name. If each search began at 2, many columns with the same name would take quadratic time.
  const nextNumbers = new Map<string, number>();
  const numberedName = (name: string, index: number): string => {
    const stem = name === "" ? "column" : name;
    let number = name === "" ? index + 1 : (nextNumbers.get(stem) ?? 2);
    while (used.has(`${stem}_${number}`) || found.has(`${stem}_${number}`)) number++;
    nextNumbers.set(stem, number + 1);
    return `${stem}_${number}`;
  };
  return names.map((name, index) => {
    const isBad = name === "" || used.has(name);
    if (isBad && onBadName === "error") throw badName(names, index, uri);
    const unique = isBad ? numberedName(name, index) : name;
    used.add(unique);
    return unique;
  });
}

/** @throws {RecordError} `limit-exceeded` (`column-count`). */
export function assertColumnCount(names: readonly string[], maxColumns: number, uri: string): void {
  if (names.length <= maxColumns) return;
  throw new RecordError(
    "limit-exceeded",
    `${uri} has ${names.length} columns, more than ${maxColumns} (maxColumns); pass a schema or a higher limit.`,
    { reason: "column-count", uri, byteOffset: 0 },
  );
}

function badName(names: readonly string[], index: number, uri: string): SchemaError {
  const name = names[index] as string;
  const place = `${uri}: column ${index + 1} of the header`;
  const found =
    name === "" ? "has no name" : `repeats the name "${name}" of column ${names.indexOf(name) + 1}`;
  const message = `${place} ${found}; set columnNames, or set onBadName to "number".`;
  return new SchemaError("schema-invalid", message, { reason: "header-name", columnPath: name, uri });
}
