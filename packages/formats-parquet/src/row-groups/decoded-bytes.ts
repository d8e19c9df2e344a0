import { COLUMN, type ColumnChunk } from "../footer/file-footer.js";
import { integerOf, structOf } from "../footer/thrift.js";

/** Bytes of a decoded value by physical type; of a byte array, its offset alone. @see parquet-format `Type` */
const VALUE_BYTES: readonly number[] = [1 / 8, 4, 8, 8, 4, 8, 4];
/** Field of `SizeStatistics`: bytes of all byte arrays, each counted as often as it occurs. */
const UNENCODED_BYTES = 1;

/**
 * About how many bytes the values of a chunk take when decoded. The footer counts encoded bytes: a dictionary can make them far fewer.
 * Newer writers also count the bytes of text; without that count, text in a dictionary is underestimated.
 */
export function decodedBytes({ metadata, numValues }: ColumnChunk): number {
  const numberAt = (id: number): number => Math.max(0, integerOf(metadata.get(id)) ?? 0);
  const sizes = structOf(metadata.get(COLUMN.sizeStatistics));
  const textBytes = Math.max(0, integerOf(sizes?.get(UNENCODED_BYTES)) ?? 0);
  const valueBytes = numValues * (VALUE_BYTES[numberAt(COLUMN.type)] ?? 0);
  return Math.max(numberAt(COLUMN.uncompressedBytes), valueBytes + textBytes);
}
