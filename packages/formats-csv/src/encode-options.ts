import { aBoolean, aListOfNames, oneOf, type OptionRules, rule } from "@tfxio/wire/checks";

/** How CSV files are written, beside what reading and writing share. */
export interface CsvWriteOptions {
  /** The first record has the names of the columns. Default true. */
  readonly header: boolean;
  /** End of each record, the last one included. Default `"\r\n"` (RFC 4180, section 2). */
  readonly lineEnd: "\r\n" | "\n";
  /**
   * Unquoted text of an empty list, such as `"[]"`. By default, null, an empty list is refused as `not-convertible`
   * (`empty-list`), since CSV has no form for it. The first of `nullMarkers` writes empty lists as null.
   */
  readonly emptyListText: string | null;
  /** Columns of bytes that are written in base64 (RFC 4648). Default none: bytes must be UTF-8 text. */
  readonly base64Columns: readonly string[];
}

/** The default of every option of writing. */
export const CSV_WRITE_DEFAULTS: CsvWriteOptions = {
  header: true,
  lineEnd: "\r\n",
  emptyListText: null,
  base64Columns: [],
};

/** What each option of writing must be. */
export const CSV_WRITE_RULES: OptionRules<CsvWriteOptions> = {
  header: aBoolean,
  lineEnd: oneOf("\r\n", "\n"),
  emptyListText: rule("a string or null", (value) => value === null || typeof value === "string"),
  base64Columns: aListOfNames,
};

/** Options of reading by which files are written too. */
export interface CsvSharedOptions {
  readonly compression: "auto" | "none" | "gzip" | "zlib";
  readonly delimiter: string;
  readonly quote: string | null;
  readonly doubledQuote: boolean;
  readonly escape: string | null;
  readonly comment: string | null;
  readonly multiline: boolean;
  readonly nullMarkers: readonly string[];
  readonly multivalentColumns: readonly string[];
  readonly secondaryDelimiter: string | null;
}

/** Everything that the writer goes by. */
export type CsvEncodeOptions = CsvSharedOptions & CsvWriteOptions;
