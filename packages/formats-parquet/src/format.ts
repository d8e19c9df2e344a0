import { loadDecode, loadEncode } from "#coders";
import { defineFormat, type WritableFormat } from "@tfxio/format";
import { assertParquetOptions, PARQUET_DEFAULTS, type ParquetOptions } from "./options.js";

/**
 * Parquet files. Reading throws `unsupported` (`encoding`) for a codec or encoding that the engine, parquet-wasm, does not
 * implement. If a file stores its Arrow schema (`ARROW:schema`), columns have the Arrow types that were written, including
 * dictionaries. Only the requested columns are fetched, and only from row groups that may contain matches of `filter`. A row
 * position is the index of a row in its file.
 *
 * A Parquet file is read from the footer at its end, so it cannot be read as a stream. Buffer the bytes, or pass a file.
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

/** Checks whether the bytes start with the magic `PAR1`. A file with an encrypted footer starts with `PARE` instead. */
function isParquetFile(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(0, 4)) === "PAR1";
}
