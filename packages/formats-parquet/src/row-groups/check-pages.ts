import type { Limits } from "@tfxio/format";
import { RecordError } from "@tfxio/wire";
import { readThrift } from "../footer/read-thrift.js";
import { integerOf, structOf, type ThriftStruct } from "../footer/thrift.js";
import type { ColumnChunk } from "../footer/file-footer.js";

/** Ids of the fields of a page header, and of the headers in it. @see parquet-format `parquet.thrift` */
const PAGE = { uncompressedBytes: 2, compressedBytes: 3, data: 5, dictionary: 7, dataV2: 8 } as const;
const NUM_VALUES = 1;

/**
 * Checks the headers of all pages of a column chunk, so that the engine, which believes them, allocates no more than
 * the limit and loops no longer than the chunk has values.
 * @param bytes Of the chunk.
 * @throws {RecordError} `corrupt-record` (`page`), `limit-exceeded` (`page-length`).
 */
export function checkPages(
  bytes: Uint8Array,
  { numValues, start }: Pick<ColumnChunk, "numValues" | "start">,
  uri: string,
  { maxPageBytes }: Limits,
): void {
  let [at, left] = [0, numValues];
  while (left > 0) {
    const byteOffset = start + at;
    const damaged = (found: string, cause?: unknown): RecordError =>
      new RecordError("corrupt-record", `${uri}: the page at byte ${byteOffset} ${found}.`, {
        reason: "page",
        uri,
        byteOffset,
        cause,
      });
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
    const data = structOf(struct.get(PAGE.data)) ?? structOf(struct.get(PAGE.dataV2));
    const count = integerOf((dictionary ?? data)?.get(NUM_VALUES)) ?? (data === undefined ? 0 : -1);
    if (dictionary !== undefined && count > whole)
      throw damaged(`declares ${count} values in ${whole} bytes`);
    if (count < 0 || (data !== undefined && count > left))
      throw damaged(`declares ${count} values, ${left} are left`);
    if (data !== undefined) left -= count;
    at = end + stored;
  }
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
