import type { Limits } from "@tfxio/format";
import { type ByteSource, RecordError, tailOf, UnsupportedError } from "@tfxio/wire";
import { readThrift } from "./read-thrift.js";
import { type StoredColumn, storedColumns } from "./stored-columns.js";
import { integerOf, listOf, structOf, textOf, type ThriftStruct } from "./thrift.js";

/** Size in bytes of the first read from the end of a file. Most footers fit. */
const TAIL_BYTES = 65_536;
const TRAILER_BYTES = 8;

/** Ids of the fields of the structs in a footer. @see parquet-format `parquet.thrift` */
export const FILE = {
  schema: 2,
  numRows: 3,
  rowGroups: 4,
  keyValues: 5,
  createdBy: 6,
  columnOrders: 7,
} as const;
export const GROUP = { columns: 1, totalBytes: 2, numRows: 3, sortingColumns: 4, fileOffset: 5 } as const;
export const CHUNK = {
  filePath: 1,
  fileOffset: 2,
  metadata: 3,
  offsetIndex: 4,
  offsetIndexLength: 5,
  columnIndex: 6,
  columnIndexLength: 7,
} as const;
export const COLUMN = {
  type: 1,
  codec: 4,
  numValues: 5,
  uncompressedBytes: 6,
  compressedBytes: 7,
  dataPage: 9,
  indexPage: 10,
  dictionaryPage: 11,
  statistics: 12,
  bloomFilter: 14,
  bloomFilterLength: 15,
  sizeStatistics: 16,
} as const;

export interface RowGroup {
  readonly struct: ThriftStruct;
  readonly numRows: number;
  /** Index of its first row in the file. */
  readonly firstRow: number;
  /** One chunk for each leaf of the schema, in order. */
  readonly chunks: readonly ColumnChunk[];
}

/** The pages of one leaf column in a row group. */
export interface ColumnChunk {
  readonly struct: ThriftStruct;
  readonly metadata: ThriftStruct;
  readonly numValues: number;
  /** Byte range in the file, end exclusive. A dictionary page comes first. */
  readonly start: number;
  readonly end: number;
}

export interface FileFooter {
  readonly uri: string;
  readonly struct: ThriftStruct;
  readonly columns: readonly StoredColumn[];
  readonly rowGroups: readonly RowGroup[];
  readonly numRows: number;
}

/**
 * Reads the footer of a file. Checks that every row group has a valid row count and one chunk for each leaf. If the length of the
 * file is known, also checks that all chunks lie in the file.
 * @throws {RecordError} `corrupt-record` (`footer`), `truncated-record` (`footer`), `limit-exceeded` (`metadata-length`).
 * @throws {UnsupportedError} `unsupported` (`encryption`, `column-files`).
 */
export async function readFooter(
  source: ByteSource,
  { maxMetadataBytes }: Limits,
  signal: AbortSignal | undefined,
): Promise<FileFooter> {
  const { uri } = source;
  let tail = await tailOf(source, TAIL_BYTES, { signal });
  const length = footerLength(tail, uri);
  if (length > maxMetadataBytes) {
    const message = `${uri} declares a footer of ${length} bytes, but the limit maxMetadataBytes is ${maxMetadataBytes}.`;
    throw new RecordError("limit-exceeded", message, { reason: "metadata-length", uri });
  }
  const needed = length + TRAILER_BYTES;
  if (needed > tail.length && tail.length === TAIL_BYTES) tail = await tailOf(source, needed, { signal });
  if (needed > tail.length)
    throw damagedFooter(
      uri,
      `declares a footer of ${length} bytes, followed by 8 more bytes, but the whole file has only ${tail.length}`,
    );
  const bytes = tail.subarray(tail.length - needed, tail.length - TRAILER_BYTES);
  return parseFooter(bytes, uri, source.byteLength);
}

function footerLength(tail: Uint8Array, uri: string): number {
  const trailer = tail.subarray(Math.max(0, tail.length - TRAILER_BYTES));
  const magic = new TextDecoder().decode(trailer.subarray(-4));
  if (magic === "PARE") {
    const message = `${uri} is an encrypted Parquet file. Decrypt it first.`;
    throw new UnsupportedError(message, { reason: "encryption", feature: "encrypted Parquet files" });
  }
  if (magic !== "PAR1" || trailer.length < TRAILER_BYTES) {
    throw new RecordError(
      "truncated-record",
      `${uri} is not a complete Parquet file: it does not end with a footer length and PAR1.`,
      { reason: "footer", uri },
    );
  }
  return new DataView(trailer.buffer, trailer.byteOffset).getUint32(0, true);
}

/**
 * Parses a footer.
 * @param bytes The footer, without the 8 bytes that follow it in the file.
 * @param fileLength Length of the file in bytes, if known.
 * @throws {RecordError} `corrupt-record` (`footer`).
 * @throws {UnsupportedError} `unsupported` (`column-files`).
 */
export function parseFooter(bytes: Uint8Array, uri: string, fileLength: number | undefined): FileFooter {
  let struct: ThriftStruct;
  try {
    ({ struct } = readThrift(bytes));
  } catch (cause) {
    throw damagedFooter(uri, "has a footer that is not Thrift", cause);
  }
  const elements = listOf(struct.get(FILE.schema));
  const groups = listOf(struct.get(FILE.rowGroups)) ?? [];
  if (elements === undefined) throw damagedFooter(uri, "has a footer without a schema");
  const columns = storedColumns(elements, (found) => damagedFooter(uri, found));
  const numLeaves = columns.reduce((sum, { leaves }) => sum + leaves.length, 0);
  const place = { uri, fileLength, numSpareBytes: spareBytes(struct) };
  let firstRow = 0;
  const rowGroups = groups.map((value, index) => {
    const group = structOf(value) ?? new Map();
    const numRows = integerOf(group.get(GROUP.numRows));
    const stored = listOf(group.get(GROUP.columns)) ?? [];
    if (numRows === undefined || numRows < 0)
      throw damagedFooter(uri, `has no valid row count in row group ${index}`);
    if (stored.length !== numLeaves) {
      throw damagedFooter(
        uri,
        `has ${stored.length} columns in row group ${index}, but its schema has ${numLeaves}`,
      );
    }
    const chunks = stored.map((column) => parseChunk(structOf(column), index, place));
    firstRow += numRows;
    return { struct: group, numRows, firstRow: firstRow - numRows, chunks };
  });
  return { uri, struct, columns, rowGroups, numRows: firstRow };
}

interface FilePlace {
  readonly uri: string;
  readonly fileLength: number | undefined;
  /** A chunk may extend up to this many bytes beyond its stored end. */
  readonly numSpareBytes: number;
}

/**
 * Returns the number of bytes to add to the length of each chunk: 100 for parquet-mr before 1.2.9 or without a version, otherwise
 * 0. The length that early versions stored omits the header of the dictionary page. The header takes up to 100 bytes.
 * @see PARQUET-816
 */
function spareBytes(file: ThriftStruct): number {
  const found = /^parquet-mr(?: version (\d+)\.(\d+)\.(\d+))?/.exec(textOf(file.get(FILE.createdBy)) ?? "");
  if (found === null) return 0;
  const [major = 0, minor = 0, patch = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return major * 10_000 + minor * 100 + patch < 10_209 ? 100 : 0;
}

function parseChunk(
  struct: ThriftStruct | undefined,
  group: number,
  { uri, fileLength = Number.MAX_SAFE_INTEGER, numSpareBytes }: FilePlace,
): ColumnChunk {
  const metadata = structOf(struct?.get(CHUNK.metadata));
  if (struct === undefined || metadata === undefined) {
    throw damagedFooter(uri, `lacks the metadata of a column in row group ${group}`);
  }
  if (struct.has(CHUNK.filePath)) {
    const message = `${uri} keeps columns in other files. Rewrite it as a single file.`;
    throw new UnsupportedError(message, {
      reason: "column-files",
      feature: "Parquet columns in other files",
    });
  }
  const dataPage = integerOf(metadata.get(COLUMN.dataPage)) ?? -1;
  // Some writers set the offset to 0 if a chunk has no dictionary.
  const dictionaryPage = integerOf(metadata.get(COLUMN.dictionaryPage)) ?? 0;
  const start = dictionaryPage > 0 ? Math.min(dictionaryPage, dataPage) : dataPage;
  const end = start + (integerOf(metadata.get(COLUMN.compressedBytes)) ?? -1);
  const numValues = integerOf(metadata.get(COLUMN.numValues)) ?? -1;
  if (start < 0 || end < start || end > fileLength || numValues < 0) {
    const limit = end > fileLength ? `, but the file has ${fileLength} bytes` : "";
    throw damagedFooter(
      uri,
      `has a column chunk with impossible sizes in row group ${group}: ${numValues} values from byte ${start} to ${end}${limit}`,
    );
  }
  return { struct, metadata, numValues, start, end: Math.min(end + numSpareBytes, fileLength) };
}

function damagedFooter(uri: string, found: string, cause?: unknown): RecordError {
  return new RecordError("corrupt-record", `${uri} ${found}.`, { reason: "footer", uri, cause });
}
