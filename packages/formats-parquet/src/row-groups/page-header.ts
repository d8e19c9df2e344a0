import type { Limits } from "@tfxio/format";
import { RecordError } from "@tfxio/wire";
import { readThrift } from "../footer/read-thrift.js";
import { integerOf, structOf } from "../footer/thrift.js";

/** Ids of the fields of a page header, and of the headers in it. @see parquet-format `parquet.thrift` */
const PAGE = { uncompressedBytes: 2, compressedBytes: 3, data: 5, dictionary: 7, dataV2: 8 } as const;
const NUM_VALUES = 1;
const NUM_ROWS = 3;

/** The bytes of a chunk, or of one of its pages, that are in memory. */
export interface PageBytes {
  readonly bytes: Uint8Array;
  /** Offset in the file at which `bytes` begins. */
  readonly start: number;
  /** End of the chunk or page in the file, exclusive. */
  readonly end: number;
  readonly uri: string;
}

export interface PageHeader {
  readonly kind: "data" | "dictionary" | "other";
  /** Number of values of a data page, including nulls; 0 for other pages. */
  readonly numValues: number;
  /** Number of rows. Known only for data pages of version 2. */
  readonly numRows: number | undefined;
  /** End of the page, relative to the first byte in memory. It may lie beyond the bytes in memory. */
  readonly end: number;
}

/**
 * Returns the header of the page at byte `at`; undefined if only a part of the header is in memory. Checks the size of the page
 * against the limit, and its number of values against `maxValues`, because the engine trusts headers.
 * @param maxValues Maximum number of values of a data page.
 * @throws {RecordError} `corrupt-record` (`page`), `limit-exceeded` (`page-length`).
 */
export function readPageHeader(
  { bytes, start, end: chunkEnd, uri }: PageBytes,
  at: number,
  maxValues: number,
  { maxPageBytes }: Limits,
): PageHeader | undefined {
  const byteOffset = start + at;
  const damaged = (found: string, cause?: unknown): RecordError => damagedPage(uri, byteOffset, found, cause);
  let header: ReturnType<typeof readThrift>;
  try {
    header = readThrift(bytes, at);
  } catch (cause) {
    if (start + bytes.length < chunkEnd) return undefined;
    throw damaged("does not begin with a page header", cause);
  }
  const { struct, end } = header;
  const numBytesLeft = chunkEnd - start - end;
  const stored = integerOf(struct.get(PAGE.compressedBytes)) ?? -1;
  const whole = integerOf(struct.get(PAGE.uncompressedBytes)) ?? -1;
  if (stored < 0 || whole < 0 || stored > numBytesLeft) {
    throw damaged(
      `declares ${stored} compressed bytes and ${whole} uncompressed bytes, expected at least 0 of each and at most ${numBytesLeft} compressed bytes`,
    );
  }
  if (whole > maxPageBytes) {
    const message = `${uri}: the page at byte ${byteOffset} declares ${whole} bytes, but the limit maxPageBytes is ${maxPageBytes}.`;
    throw new RecordError("limit-exceeded", message, { reason: "page-length", uri, byteOffset });
  }
  const dictionary = structOf(struct.get(PAGE.dictionary));
  const dataV2 = structOf(struct.get(PAGE.dataV2));
  const data = structOf(struct.get(PAGE.data)) ?? dataV2;
  const count = integerOf((dictionary ?? data)?.get(NUM_VALUES)) ?? (data === undefined ? 0 : -1);
  if (dictionary !== undefined && count > whole)
    throw damaged(`declares ${count} dictionary values in only ${whole} bytes`);
  if (count < 0 || (data !== undefined && count > maxValues)) {
    throw damaged(`declares ${count} values, expected at least 0 and at most ${maxValues}`);
  }
  return {
    kind: data !== undefined ? "data" : dictionary !== undefined ? "dictionary" : "other",
    numValues: data === undefined ? 0 : count,
    numRows: integerOf(dataV2?.get(NUM_ROWS)),
    end: end + stored,
  };
}

/** Returns the error for a damaged page. In the message, `found` follows the words "the page at byte N". */
export function damagedPage(uri: string, byteOffset: number, found: string, cause?: unknown): RecordError {
  const message = `${uri}: the page at byte ${byteOffset} ${found}.`;
  return new RecordError("corrupt-record", message, { reason: "page", uri, byteOffset, cause });
}
