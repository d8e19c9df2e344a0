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

/** How CSV files are written down, and what their cells mean. */
export interface CsvOptions {
  /** `"auto"` (default) recognises gzip by its first bytes. Compressed files are one split each. */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
  /**
   * Separates cells: one character or more, such as `"||"` or `"§"`. Default `","`; a tab in the format `tsv`. Anything but one
   * ASCII character is read by the implementation in TypeScript, which is slower.
   */
  readonly delimiter: string;
  /**
   * Encloses cells that hold delimiters or line breaks: one character, or null for none. Default `"`. It is special
   * at the start of a cell only; text after the closing quote belongs to the cell, as in Python's `csv`.
   */
  readonly quote: string | null;
  /** Two quotes within a quoted cell stand for one (RFC 4180, section 2.7). Default true. */
  readonly doubledQuote: boolean;
  /** Takes the meaning from the character after it: one ASCII character, or null (default) for none. */
  readonly escape: string | null;
  /** Lines that begin with this ASCII character are left out, also before the header. Default null: no line is. */
  readonly comment: string | null;
  /**
   * Quoted cells may hold line breaks. Default true. `false` refuses them, so that files are cut into splits without reading
   * them: each line break ends a record.
   */
  readonly multiline: boolean;
  /** Leaves out lines without any character. Default true; `false` makes each a row of nulls. */
  readonly skipBlankLines: boolean;
  /** Lines at the start of each file that are neither header nor data. Default 0. */
  readonly skipLines: number;
  /**
   * Names of the columns, in file order. Default null: the first record of each file holds them. Of files with a header,
   * given names replace it together with `skipLines: 1`.
   */
  readonly columnNames: readonly string[] | null;
  /**
   * Empty and repeated names in a header: `"error"` (default), or `"number"`, which calls the third column without a name
   * `column_3`, and the second column `a` `a_2`.
   */
  readonly onBadName: "error" | "number";
  /** Types of columns by name. Others are inferred, unless the read has a schema. Default none. */
  readonly types: Readonly<Record<string, CsvColumnType>>;
  /**
   * What types are inferred from without a schema: `"sample"` (default), the first 4 MiB; or `"full"`, all rows, which reads the
   * files twice and streams not at all. A later cell that does not fit its column is a bad cell.
   */
  readonly infer: "sample" | "full";
  /** Texts that stand for null. Default `[""]`: an empty cell is null, as in tfx_bsl. `[]`: no cell is. */
  readonly nullMarkers: readonly string[];
  /** Quoted cells can be null markers. Default true, as in tfx_bsl; `false` keeps `""`, the empty text, apart from null. */
  readonly quotedNulls: boolean;
  /** Columns whose cells hold several values, between `secondaryDelimiter`s. Default none. */
  readonly multivalentColumns: readonly string[];
  /** Separates the values of a multivalent cell, which may be quoted in turn: one character or more. Default null. */
  readonly secondaryDelimiter: string | null;
  /**
   * A cell that is not of its column's type: `"error"` (default), `"null"`, or `"skip-row"`, which is counted in
   * {@link ReadProgress.numSkipped}.
   */
  readonly onBadCell: "error" | "null" | "skip-row";
  /** A row with more or fewer cells than columns: `"error"` (default) or `"skip"`, which is counted likewise. */
  readonly onBadRow: "error" | "skip";
}

/** The default of every option. */
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

const aDelimiter = rule("a text without line breaks that is not empty", isDelimiter);
const aDelimiterOrNull = rule(
  "a text without line breaks that is not empty, or null",
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
  "a list of at least one name, all different, or null",
  (value) => value === null || (isListOfText(value) && value.length > 0 && isDistinct(value)),
);
const someTypes = rule('an object of "int", "float" or "bytes" by column', (value) => {
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

/** @throws {ArgumentError} `invalid-argument` naming the option, also for two that exclude each other. */
export function assertCsvOptions(owner: string, options: CsvOptions): void {
  assertOptions(owner, options, RULES);
  const { delimiter, quote, escape, comment, secondaryDelimiter, multivalentColumns } = options;
  const roles = { delimiter, quote, escape, comment };
  for (const [role, character] of Object.entries(roles)) {
    const other = Object.entries(roles).find(([name, value]) => value === character && name !== role);
    if (character !== null && other !== undefined) {
      throw unusableArgument(role, `is ${JSON.stringify(character)}, and so is ${other[0]}`, { owner });
    }
  }
  for (const [role, text] of Object.entries({ delimiter, secondaryDelimiter })) {
    const within = Object.entries({ quote, escape }).find(
      ([, other]) => other !== null && text?.includes(other),
    );
    if (within !== undefined) {
      throw unusableArgument(role, `is ${JSON.stringify(text)}, which holds the ${within[0]}`, { owner });
    }
  }
  if (comment !== null && delimiter.startsWith(comment)) {
    throw unusableArgument("delimiter", `is ${JSON.stringify(delimiter)}, which begins like a comment`, {
      owner,
    });
  }
  if ((secondaryDelimiter === null) !== (multivalentColumns.length === 0)) {
    throw unusableArgument("secondaryDelimiter", "and multivalentColumns need each other", { owner });
  }
}

/** Lone surrogates have no bytes in UTF-8. */
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
