import {
  aBoolean,
  aListOfNames,
  anInteger,
  aReadCompression,
  assertOptions,
  isObject,
  oneOf,
  type OptionRules,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";

/** Type of a column's values: `"int"` is Int64, `"float"` Float32, `"bytes"` Binary. */
export type CsvColumnType = "int" | "float" | "bytes";

/** The syntax of CSV files and the meaning of their cells. */
export interface CsvOptions {
  /**
   * When reading, `"auto"` (default) recognizes gzip by its first bytes. When writing, it means gzip if the target's name ends in
   * `.gz`, else none. A compressed file is a single split.
   */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
  /**
   * Text between cells: one or more characters, such as `"||"` or `"§"`. Default `","`; a tab in the format `tsv`. Anything other
   * than one ASCII character needs the TypeScript implementation, which is slower.
   */
  readonly delimiter: string;
  /**
   * Encloses cells that contain delimiters or line breaks: one character, or null for none. Default `"`. It opens a quoted cell
   * only at the start of the cell. Text after the closing quote belongs to the cell, as in Python's `csv`. A character outside
   * ASCII needs the TypeScript implementation.
   */
  readonly quote: string | null;
  /** If true (default), two quotes within a quoted cell represent one quote (RFC 4180, section 2, rule 7). */
  readonly doubledQuote: boolean;
  /** Makes the next character literal: one ASCII character, or null (default) for none. */
  readonly escape: string | null;
  /** Lines that begin with this ASCII character are skipped, even before the header. Default null: no line is a comment. */
  readonly comment: string | null;
  /**
   * Allows line breaks in quoted cells. Default true. With `false`, they are an error, so every line break ends a record. A file
   * can then be divided into splits without being read in full.
   */
  readonly multiline: boolean;
  /** Skips empty lines. Default true. With `false`, each becomes a row of nulls. */
  readonly skipBlankLines: boolean;
  /** Number of lines at the start of each file that are neither header nor data. Default 0. */
  readonly skipLines: number;
  /**
   * Names of the columns, in file order. Default null: the first record of each file holds them. To replace the names in a
   * header, also set `skipLines: 1`.
   */
  readonly columnNames: readonly string[] | null;
  /**
   * Treatment of empty and repeated names in a header: `"error"` (default) or `"number"`. With `"number"`, an unnamed third
   * column becomes `column_3`, and a second column `a` becomes `a_2`.
   */
  readonly onBadName: "error" | "number";
  /** Types of columns, by name. The types of other columns are inferred, unless the read has a schema. Default: none. */
  readonly types: Readonly<Record<string, CsvColumnType>>;
  /**
   * Rows from which types are inferred without a schema. `"sample"` (default) uses the first 4 MiB of all files together.
   * A cell after the sample is a bad cell if it does not fit the inferred type. `"full"` uses all rows, so it reads files twice,
   * cannot read streams, and throws the error of a damaged file before the first row is yielded.
   */
  readonly infer: "sample" | "full";
  /** Cell texts that mean null. Default `[""]`: an empty cell is null, as in tfx_bsl. With `[]`, no cell is null. */
  readonly nullMarkers: readonly string[];
  /** Allows quoted cells to be null. Default true, as in tfx_bsl. With `false`, `""` is the empty string, distinct from null. */
  readonly quotedNulls: boolean;
  /** Columns whose cells hold several values, separated by `secondaryDelimiter`. Default: none. */
  readonly multivalentColumns: readonly string[];
  /** Text between the values of a multivalent cell: one or more characters. The values may be quoted. Default null. */
  readonly secondaryDelimiter: string | null;
  /**
   * Treatment of a cell that does not fit its column's type: `"error"` (default), `"null"`, or `"skip-row"`. Skipped rows are
   * counted in {@link ReadProgress.numSkipped}.
   */
  readonly onBadCell: "error" | "null" | "skip-row";
  /**
   * Treatment of a row with more or fewer cells than columns: `"error"` (default) or `"skip"`, which counts the row as skipped.
   */
  readonly onBadRow: "error" | "skip";
}

export const CSV_DEFAULTS: CsvOptions = {
  compression: "auto",
  delimiter: ",",
  quote: '"',
  doubledQuote: true,
  escape: null,
  comment: null,
  multiline: true,
  skipBlankLines: true,
  skipLines: 0,
  columnNames: null,
  onBadName: "error",
  types: {},
  infer: "sample",
  nullMarkers: [""],
  quotedNulls: true,
  multivalentColumns: [],
  secondaryDelimiter: null,
  onBadCell: "error",
  onBadRow: "error",
};

const aDelimiter = rule("a non-empty string without line breaks", isDelimiter);
const aDelimiterOrNull = rule(
  "a non-empty string without line breaks, or null",
  (value) => value === null || isDelimiter(value),
);
const aQuoteOrNull = rule(
  "one character other than a line break, or null",
  (value) => value === null || (typeof value === "string" && /^[^\r\n\p{Surrogate}]$/u.test(value)),
);
const aCharacterOrNull = rule(
  "one ASCII character other than a line break, or null",
  (value) => value === null || isCharacter(value),
);
const someNamesOrNull = rule(
  "a non-empty list of different names, or null",
  (value) => value === null || (isListOfText(value) && value.length > 0 && isDistinct(value)),
);
const someTypes = rule('an object that maps columns to "int", "float" or "bytes"', (value) => {
  return (
    isObject(value) &&
    Object.values(value).every((type) => ["int", "float", "bytes"].includes(type as string))
  );
});

const RULES: OptionRules<CsvOptions> = {
  compression: aReadCompression,
  delimiter: aDelimiter,
  quote: aQuoteOrNull,
  doubledQuote: aBoolean,
  escape: aCharacterOrNull,
  comment: aCharacterOrNull,
  multiline: aBoolean,
  skipBlankLines: aBoolean,
  skipLines: anInteger(0),
  columnNames: someNamesOrNull,
  onBadName: oneOf("error", "number"),
  types: someTypes,
  infer: oneOf("sample", "full"),
  nullMarkers: aListOfNames,
  quotedNulls: aBoolean,
  multivalentColumns: aListOfNames,
  secondaryDelimiter: aDelimiterOrNull,
  onBadCell: oneOf("error", "null", "skip-row"),
  onBadRow: oneOf("error", "skip"),
};

/**
 * Checks the options one by one, then in combination: for example, no character may have two roles, and no delimiter may contain
 * the quote or the escape.
 * @throws {ArgumentError} `invalid-argument`, naming the option, if a value is invalid or options conflict.
 */
export function assertCsvOptions(owner: string, options: CsvOptions): void {
  assertOptions(owner, options, RULES);
  const { delimiter, quote, escape, comment, secondaryDelimiter, multivalentColumns } = options;
  const roles = { delimiter, quote, escape, comment };
  for (const [role, character] of Object.entries(roles)) {
    const other = Object.entries(roles).find(([name, value]) => value === character && name !== role);
    if (character !== null && other !== undefined) {
      throw unusableArgument(role, `is ${JSON.stringify(character)}, but must differ from the ${other[0]}`, {
        owner,
      });
    }
  }
  for (const [role, text] of Object.entries({ delimiter, secondaryDelimiter })) {
    const within = Object.entries({ quote, escape }).find(
      ([, other]) => other !== null && text?.includes(other),
    );
    if (within !== undefined) {
      throw unusableArgument(role, `is ${JSON.stringify(text)}, but must not contain the ${within[0]}`, {
        owner,
      });
    }
  }
  if (comment !== null && delimiter.startsWith(comment)) {
    throw unusableArgument(
      "delimiter",
      `is ${JSON.stringify(delimiter)}, but must not begin with the comment character`,
      {
        owner,
      },
    );
  }
  if ((secondaryDelimiter === null) !== (multivalentColumns.length === 0)) {
    throw unusableArgument("secondaryDelimiter", "and multivalentColumns require each other", { owner });
  }
}

/** True for a non-empty string without line breaks. Lone surrogates are rejected, because UTF-8 cannot encode them. */
function isDelimiter(value: unknown): value is string {
  return typeof value === "string" && /^[^\r\n\p{Surrogate}]+$/u.test(value);
}

function isCharacter(value: unknown): boolean {
  return typeof value === "string" && /^[^\r\n\x80-\uffff]$/.test(value);
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
