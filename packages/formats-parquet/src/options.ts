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
   * Number of rows in a row group. Default 122,880, as in DuckDB. Readers use row group statistics to skip row groups, and divide
   * splits between row groups.
   */
  readonly rowGroupRows: number;
  /** Encodes columns as indices into a dictionary of their values, as long as the dictionary stays small. Default true. */
  readonly dictionary: boolean;
  /**
   * Minimum, maximum and null count of each column, which readers use to filter. `"row-group"` (default) writes them for each row
   * group, `"page"` also for each page.
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

/** @throws {ArgumentError} `invalid-argument`, naming the option; also for an option that has no effect in this use. */
export function assertParquetOptions(options: ParquetOptions, use: "read" | "write"): void {
  assertOptions("parquet", options, PARQUET_RULES);
  if (use === "write") return;
  for (const name of Object.keys(PARQUET_DEFAULTS) as (keyof ParquetOptions)[]) {
    if (options[name] === PARQUET_DEFAULTS[name]) continue;
    throw unusableArgument(name, "is for writing: it has no effect on reading");
  }
}
