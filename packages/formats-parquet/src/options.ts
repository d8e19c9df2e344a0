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
   * Rows of a row group; default 122,880, as DuckDB has it. A reader skips row groups by their statistics, and cuts
   * splits between row groups.
   */
  readonly rowGroupRows: number;
  /** Encode columns as indices into a dictionary of their values, as long as it stays small. Default true. */
  readonly dictionary: boolean;
  /** Least and greatest value and number of nulls, by which readers filter: of each row group (default), of each page too, or none. */
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

/** @throws {ArgumentError} `invalid-argument` naming the option; also for one that could not act in this use. */
export function assertParquetOptions(options: ParquetOptions, use: "read" | "write"): void {
  assertOptions("parquet", options, PARQUET_RULES);
  if (use === "write") return;
  for (const name of Object.keys(PARQUET_DEFAULTS) as (keyof ParquetOptions)[]) {
    if (options[name] === PARQUET_DEFAULTS[name]) continue;
    throw unusableArgument(name, "is for writing: it has no effect on reading");
  }
}
