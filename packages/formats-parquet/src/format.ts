import { loadDecode, loadEncode } from "#coders";
import { defineFormat, type WritableFormat } from "@tfxio/format";
import { assertParquetOptions, PARQUET_DEFAULTS, type ParquetOptions } from "./options.js";

/**
 * Parquet files, with all codecs and encodings. Columns have the types that the file was written with, as far as it keeps
 * them (`ARROW:schema`), dictionaries included. Only the columns that are asked for are fetched, and only row groups that
 * may have rows that match `filter`. Row positions are numbers of rows.
 *
 * Parquet keeps its directory at the end, so a stream of bytes cannot be read: buffer it, or hand in a file.
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

/** True if the bytes begin as a Parquet file. */
function isParquetFile(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(0, 4)) === "PAR1";
}
