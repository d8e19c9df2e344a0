import type { Limits } from "@tfxio/format";
import { RecordError } from "@tfxio/wire";
import { readThrift } from "../footer/read-thrift.js";
import { integerOf, structOf, type ThriftStruct } from "../footer/thrift.js";

/** Ids of the fields of a page header, and of the headers in it. @see parquet-format `parquet.thrift` */
const PAGE = { uncompressedBytes: 2, compressedBytes: 3, data: 5, dictionary: 7, dataV2: 8 } as const;
const NUM_VALUES = 1;
const NUM_ROWS = 3;

/** The bytes that a page is in. */
export interface PageBytes {
  readonly bytes: Uint8Array;
  /** Of the first byte in the file. */
  readonly start: number;
  readonly uri: string;
}

/** What a page says about itself. */
export interface PageHeader {
  readonly kind: "data" | "dictionary" | "other";
  /** Of a data page, nulls included; else 0. */
  readonly numValues: number;
  /** Known of data pages of version 2. */
  readonly numRows: number | undefined;
  /** The byte after the page. */
  readonly end: number;
}

/**
 * The header of the page at byte `at`. The engine believes headers, so this checks that it allocates no more than the limit
 * and loops no longer than the chunk has values.
 * @param maxValues Values of the chunk that are left.
 * @throws {RecordError} `corrupt-record` (`page`), `limit-exceeded` (`page-length`).
 */
export function readPageHeader(
  { bytes, start, uri }: PageBytes,
  at: number,
  maxValues: number,
  { maxPageBytes }: Limits,
): PageHeader {
  const byteOffset = start + at;
  const damaged = (found: string, cause?: unknown): RecordError => damagedPage(uri, byteOffset, found, cause);
  const { struct, end } = headerAt(bytes, at, damaged);
  const stored = integerOf(struct.get(PAGE.compressedBytes)) ?? -1;
  const whole = integerOf(struct.get(PAGE.uncompressedBytes)) ?? -1;
  if (stored < 0 || whole < 0 || stored > bytes.length - end) {
    throw damaged(`declares ${stored} bytes, ${whole} uncompressed; ${bytes.length - end} are left`);
  }
  if (whole > maxPageBytes) {
    const message = `${uri}: the page at byte ${byteOffset} declares ${whole} bytes, the limit is ${maxPageBytes}.`;
    throw new RecordError("limit-exceeded", message, { reason: "page-length", uri, byteOffset });
  }
  const dictionary = structOf(struct.get(PAGE.dictionary));
  const dataV2 = structOf(struct.get(PAGE.dataV2));
  const data = structOf(struct.get(PAGE.data)) ?? dataV2;
  const count = integerOf((dictionary ?? data)?.get(NUM_VALUES)) ?? (data === undefined ? 0 : -1);
  if (dictionary !== undefined && count > whole) throw damaged(`declares ${count} values in ${whole} bytes`);
  if (count < 0 || (data !== undefined && count > maxValues)) {
    throw damaged(`declares ${count} values, ${maxValues} are left`);
  }
  return {
    kind: data !== undefined ? "data" : dictionary !== undefined ? "dictionary" : "other",
    numValues: data === undefined ? 0 : count,
    numRows: integerOf(dataV2?.get(NUM_ROWS)),
    end: end + stored,
  };
}

export function damagedPage(uri: string, byteOffset: number, found: string, cause?: unknown): RecordError {
  const message = `${uri}: the page at byte ${byteOffset} ${found}.`;
  return new RecordError("corrupt-record", message, { reason: "page", uri, byteOffset, cause });
}

function headerAt(
  bytes: Uint8Array,
  at: number,
  damaged: (found: string, cause: unknown) => RecordError,
): { readonly struct: ThriftStruct; readonly end: number } {
  try {
    return readThrift(bytes, at);
  } catch (cause) {
    throw damaged("does not begin with a page header", cause);
  }
}
