import { loadDecode, loadEncode } from "#coders";
import { defineFormat, type WritableFormat } from "@tfxio/format";
import { assertParquetOptions, PARQUET_DEFAULTS, type ParquetOptions } from "./options.js";

/**
 * Parquet files, with all codecs and encodings. If a file stores its Arrow schema (`ARROW:schema`), columns have the Arrow types
 * that were written, including dictionaries. Only the requested columns are fetched, and only row groups that may contain rows
 * that match `filter`. Row positions are row numbers in the file.
 *
 * The directory of a Parquet file is at its end, so a stream of bytes cannot be read. Buffer it, or pass a file.
 * @see tfx_bsl `ParquetTFXIO`, whose `column_names` are `columns` and whose `min_bundle_size` is `splitBytes`
 */
export const parquet: WritableFormat<ParquetOptions> = defineFormat<ParquetOptions>({
  id: "parquet",
  extensions: [".parquet", ".pq"],
  defaults: PARQUET_DEFAULTS,
  contractVersion: 2,
  columnForm: "stored",
  reads: { filter: "splits", rowPositionColumn: true, subdivide: true, randomAccess: "parts" },
  module: import.meta.url,
  sniff: isParquetFile,
  async open(sources, { options, limits }) {
    assertParquetOptions(options, "read");
    const { createParquetReader } = await loadDecode();
    return createParquetReader(sources, limits);
  },
  async createWriter(target, { arrowSchema, options }) {
    assertParquetOptions(options, "write");
    const { createParquetWriter } = await loadEncode();
    return createParquetWriter(target, arrowSchema, options);
  },
});

/** True if the bytes begin like a Parquet file. */
function isParquetFile(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(0, 4)) === "PAR1";
}
