import type { OptionsUse } from "@tfxio/format";
import {
  aBoolean,
  aListOfNames,
  assertOptions,
  oneOf,
  type OptionRules,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { assertCsvOptions, CSV_DEFAULTS, type CsvOptions } from "./options.js";

/** Options for writing CSV files, in addition to the options that reading and writing share. */
export interface CsvWriteOptions {
  /** Writes the names of the columns as the first record. Default true. */
  readonly header: boolean;
  /** Line end after each record, including the last. Default `"\r\n"` (RFC 4180, section 2). */
  readonly lineEnd: "\r\n" | "\n";
  /**
   * Unquoted text of an empty list, such as `"[]"`. Default null: an empty list is `not-convertible` (`empty-list`), since CSV
   * cannot represent it. Set this option to the first of `nullMarkers` to write empty lists as null.
   */
  readonly emptyListText: string | null;
  /** Columns of bytes that are written in base64 (RFC 4648). Default none: bytes must be UTF-8 text. */
  readonly base64Columns: readonly string[];
}

export const CSV_WRITE_DEFAULTS: CsvWriteOptions = {
  header: true,
  lineEnd: "\r\n",
  emptyListText: null,
  base64Columns: [],
};

const WRITE_RULES: OptionRules<CsvWriteOptions> = {
  header: aBoolean,
  lineEnd: oneOf("\r\n", "\n"),
  emptyListText: rule("a string or null", (value) => value === null || typeof value === "string"),
  base64Columns: aListOfNames,
};

/** Options for reading that have no effect on writing. */
type ReadOnlyOption =
  | "skipLines"
  | "columnNames"
  | "onBadName"
  | "types"
  | "infer"
  | "quotedNulls"
  | "onBadCell"
  | "onBadRow";

const READ_ONLY = {
  skipLines: true,
  columnNames: true,
  onBadName: true,
  types: true,
  infer: true,
  quotedNulls: true,
  onBadCell: true,
  onBadRow: true,
} as const satisfies Record<ReadOnlyOption, true>;

/** All options of the writer: the options shared with reading, and the options for writing only. */
export type CsvEncodeOptions = Omit<CsvOptions, ReadOnlyOption> & CsvWriteOptions;

/** All options of the formats, for reading and writing. */
export type CsvFormatOptions = CsvOptions & CsvWriteOptions;

/**
 * Checks all options of a format before reading or writing.
 * @throws {ArgumentError} `invalid-argument`, naming the option; also for an option that has no effect in this use, unless it has
 *   its default value.
 */
export function assertOptionsFor(use: OptionsUse, owner: string, options: CsvFormatOptions): void {
  const given = Object.entries(options);
  const isForWriting = (name: string): boolean => name in WRITE_RULES;
  const [written, read] = [true, false].map((wanted) =>
    Object.fromEntries(given.filter(([name]) => isForWriting(name) === wanted)),
  ) as unknown as readonly [CsvWriteOptions, CsvOptions];
  assertCsvOptions(owner, read);
  assertOptions(owner, written, WRITE_RULES);
  const defaults: CsvFormatOptions = { ...CSV_DEFAULTS, ...CSV_WRITE_DEFAULTS };
  const useless = use === "read" ? Object.keys(WRITE_RULES) : Object.keys(READ_ONLY);
  for (const name of useless as (keyof CsvFormatOptions)[]) {
    if (JSON.stringify(options[name]) === JSON.stringify(defaults[name])) continue;
    const advice = name === "header" ? "; for a file without a header, pass columnNames" : "";
    throw unusableArgument(
      name,
      use === "read"
        ? `is for writing: it has no effect on reading${advice}`
        : "is for reading: it has no effect on writing",
      { owner },
    );
  }
}
