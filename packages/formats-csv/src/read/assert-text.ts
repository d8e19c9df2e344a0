import { RecordError } from "@tfxio/wire";
import { maskCrc32c } from "@tfxio/wire/kernels";

const SAVE_AS_UTF8 = "save it as UTF-8";
const NAME_FORMAT = "choose its format with the option `format`, or convert it to CSV";

/**
 * The first bytes of files that are not CSV text, with one character per byte. Each signature contains a control character or a
 * byte that is not UTF-8. Names of columns may begin with `PAR1` or `PK`, so these letters alone do not suffice.
 * @see the Parquet format: the first field of a page header and of a footer is an int32, which Thrift encodes as 0x15
 */
const SIGNATURES: readonly (readonly [signature: string, kind: string, advice: string])[] = [
  ["\xff\xfe\0\0", "UTF-32 text", SAVE_AS_UTF8],
  ["\0\0\xfe\xff", "UTF-32 text", SAVE_AS_UTF8],
  ["\xff\xfe", "UTF-16 text", SAVE_AS_UTF8],
  ["\xfe\xff", "UTF-16 text", SAVE_AS_UTF8],
  ["PAR1\x15", "a Parquet file", NAME_FORMAT],
  ["ARROW1\0\0", "an Arrow file", NAME_FORMAT],
  ["\xff\xff\xff\xff", "an Arrow stream", NAME_FORMAT],
  ["Obj\x01", "an Avro file", NAME_FORMAT],
  ["PK\x03\x04", "a zip archive, such as an Excel workbook", "save the table as CSV"],
];
const SIGNATURE_BYTES = 8;
const latin1 = new TextDecoder("latin1");

/**
 * Rejects files that begin like UTF-16 or UTF-32 text, or like a binary format, since reading them as CSV would yield garbage.
 * @param head The first bytes of the file, after decompression.
 * @throws {RecordError} `malformed-payload` (`not-csv-text`).
 */
export function assertText(head: Uint8Array, uri: string): void {
  const start = latin1.decode(head.subarray(0, SIGNATURE_BYTES));
  const found = SIGNATURES.find(([signature]) => start.startsWith(signature));
  if (found === undefined && !isTfRecord(head)) return;
  const [, kind, advice] = found ?? ["", "a TFRecord file", NAME_FORMAT];
  throw new RecordError(
    "malformed-payload",
    `${uri} begins like ${kind}, expected text in UTF-8; ${advice}.`,
    {
      reason: "not-csv-text",
      uri,
      byteOffset: 0,
    },
  );
}

/**
 * True if the first eight bytes are followed by their masked CRC-32C. Computes the checksum bit by bit, because the kernels of
 * `@tfxio/wire` would make the package 50% larger.
 * @see TensorFlow `core/lib/io/record_writer.h`
 */
function isTfRecord(head: Uint8Array): boolean {
  if (head.length < 12) return false;
  let crc = -1;
  for (let bit = 0; bit < 64; bit++) {
    if (bit % 8 === 0) crc ^= head[bit / 8] as number;
    // The Castagnoli polynomial, bit-reversed.
    crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  const stored = new DataView(head.buffer, head.byteOffset + 8, 4).getUint32(0, true);
  return stored === maskCrc32c(~crc);
}
