/** How CSV files are written, beside what reading and writing share: delimiter, quote, header, multivalent columns. */
export interface CsvWriteOptions {
  /** End of each record, the last one included. Default `"\r\n"` (RFC 4180, section 2). */
  readonly lineEnd: "\r\n" | "\n";
  /**
   * Unquoted text of a null cell; default `""`. A value of the same text is quoted, so that the two stay apart: by
   * default null is an empty cell, and an empty string is `""`.
   */
  readonly nullText: string;
  /**
   * Unquoted text of an empty list, such as `"[]"`. By default, null, an empty list is refused as `not-convertible`
   * (`empty-list`), since CSV has no form for it. The value of {@link nullText} writes empty lists as null.
   */
  readonly emptyListText: string | null;
  /** Columns of bytes that are written in base64 (RFC 4648). Default none: bytes must be UTF-8 text. */
  readonly base64Columns: readonly string[];
}

/** Values of {@link CsvWriteOptions} that act when none are given. */
export const CSV_WRITE_DEFAULTS: CsvWriteOptions = {
  lineEnd: "\r\n",
  nullText: "",
  emptyListText: null,
  base64Columns: [],
};

/** Everything that the writer goes by. */
export interface CsvEncodeOptions extends CsvWriteOptions {
  readonly delimiter: string;
  /** Null: nothing is quoted, and a cell that has to be is refused. */
  readonly quote: string | null;
  /** Whether the first record has the names of the columns. */
  readonly header: boolean;
  /** Columns whose lists are written with all their values. */
  readonly multivalentColumns: readonly string[];
  /** Between the values of a multivalent column. */
  readonly secondaryDelimiter: string | null;
  readonly compression: "auto" | "none" | "gzip" | "zlib";
}
