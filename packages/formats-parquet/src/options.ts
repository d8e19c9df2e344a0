import {
  aBoolean,
  aPositiveInteger,
  assertOptions,
  oneOf,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";

/** Options for writing Parquet files. Reading needs none, because the files describe themselves. */
export interface ParquetOptions {
  /** Compression of pages. Default `"snappy"`, as in pyarrow and DuckDB. */
  readonly compression: "none" | "snappy" | "zstd" | "gzip" | "lz4" | "brotli";
  /**
   * Number of rows in a row group; the last one may have fewer. Default 122,880, as in DuckDB. Readers use the statistics of a
   * row group to decide whether to skip it, and they can split files only between row groups. The writer holds one row group in
   * memory.
   */
  readonly rowGroupRows: number;
  /** Whether to encode columns as indices into a dictionary of their values while the dictionary is small. Default true. */
  readonly dictionary: boolean;
  /**
   * Level at which to write the minimum, maximum and null count of each column. Readers use them to filter rows. `"row-group"`
   * (default) writes them for each row group. `"page"` also writes them for each page. `"none"` omits them.
   */
  readonly statistics: "row-group" | "page" | "none";
}

export const PARQUET_DEFAULTS: ParquetOptions = {
  compression: "snappy",
  rowGroupRows: 122_880,
  dictionary: true,
  statistics: "row-group",
};
const PARQUET_RULES: OptionRules<ParquetOptions> = {
  compression: oneOf("none", "snappy", "zstd", "gzip", "lz4", "brotli"),
  rowGroupRows: aPositiveInteger,
  dictionary: aBoolean,
  statistics: oneOf("row-group", "page", "none"),
};

/**
 * Checks the options. Reading uses none of them, so for `"read"` every option must have its default value.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function assertParquetOptions(options: ParquetOptions, use: "read" | "write"): void {
  assertOptions("parquet", options, PARQUET_RULES);
  if (use === "write") return;
  for (const name of Object.keys(PARQUET_DEFAULTS) as (keyof ParquetOptions)[]) {
    if (options[name] === PARQUET_DEFAULTS[name]) continue;
    throw unusableArgument(name, "is for writing: it has no effect on reading");
  }
}
