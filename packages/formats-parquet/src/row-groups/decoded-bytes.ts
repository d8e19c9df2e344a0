import { COLUMN, type ColumnChunk } from "../footer/file-footer.js";
import { integerOf, structOf } from "../footer/thrift.js";

/**
 * Size in bytes of a decoded value, by physical type. For a byte array, this is the size of its Arrow offset, without its bytes.
 * @see parquet-format `Type`
 */
const VALUE_BYTES: readonly number[] = [1 / 8, 4, 8, 8, 4, 8, 4];
/** Id of the field of `SizeStatistics` that holds the total length of all byte arrays, including repeated ones. */
const UNENCODED_BYTES = 1;

/**
 * Estimates the size of a chunk's decoded values in bytes. The footer counts encoded bytes, which can be far fewer with a
 * dictionary. Newer writers also count the bytes of text. Without that count, the estimate for text in a dictionary may be too
 * low.
 */
export function decodedBytes({ metadata, numValues }: ColumnChunk): number {
  const numberAt = (id: number): number => Math.max(0, integerOf(metadata.get(id)) ?? 0);
  const sizes = structOf(metadata.get(COLUMN.sizeStatistics));
  const textBytes = Math.max(0, integerOf(sizes?.get(UNENCODED_BYTES)) ?? 0);
  const valueBytes = numValues * (VALUE_BYTES[numberAt(COLUMN.type)] ?? 0);
  return Math.max(numberAt(COLUMN.uncompressedBytes), valueBytes + textBytes);
}
