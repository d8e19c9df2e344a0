import type { CsvEncodeOptions } from "../encode-options.js";
import type { TextBuffer } from "./text-buffer.js";

/** The characters of a record. */
export type QuotingDialect = Pick<
  CsvEncodeOptions,
  "delimiter" | "quote" | "doubledQuote" | "escape" | "multiline"
>;

/** What else a reader would take for something other than the text of a cell. */
export interface CellMeanings {
  /** Unquoted texts that mean something; a cell of the same text is quoted. */
  readonly markers: readonly Uint8Array[];
  /** First bytes that mean something where a cell begins a record: of a byte order mark, of a comment. */
  readonly leading?: readonly number[];
}

/** Why a dialect has no form for a cell; also the `reason` of the error. */
export type Inexpressible = "needs-quotes" | "needs-escape" | "line-break";

/** Ends the cell that was appended from `start` on: quotes it where it would not read as it is. */
export type EndCell = (text: TextBuffer, start: number) => Inexpressible | undefined;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Cells of one column. @see RFC 4180, section 2, rules 5 to 7 */
export function cellQuoting(dialect: QuotingDialect, { markers, leading = [] }: CellMeanings): EndCell {
  const { delimiter, multiline } = dialect;
  const [quote, escape] = [byteOf(dialect.quote), byteOf(dialect.escape)];
  const lineBreaks = marksOf([LINE_FEED, CARRIAGE_RETURN]);
  const special = marksOf([LINE_FEED, CARRIAGE_RETURN, byteOf(delimiter), quote, escape]);
  const unescaped = quote !== undefined && !dialect.doubledQuote && escape === undefined ? [quote] : [];
  const inexpressible = marksOf(unescaped);
  const prefixes = prefixesOf(dialect);
  return (text, start) => {
    const mustQuote =
      text.hasMarked(start, special) ||
      markers.some((marker) => text.equals(start, marker)) ||
      (leading.length > 0 && text.length > start && leading.includes(text.byteAt(start)));
    if (!mustQuote) return undefined;
    if (quote === undefined) return "needs-quotes";
    if (!multiline && text.hasMarked(start, lineBreaks)) return "line-break";
    if (unescaped.length > 0 && text.hasMarked(start, inexpressible)) return "needs-escape";
    text.quoteFrom(start, quote, prefixes);
    return undefined;
  };
}

/** What precedes a quote within quotes, and an escape. */
function prefixesOf({ quote, escape, doubledQuote }: QuotingDialect): ReadonlyMap<number, number> {
  const [quoteByte, escapeByte] = [byteOf(quote), byteOf(escape)];
  const prefixes = new Map<number, number>();
  const beforeQuote = doubledQuote ? quoteByte : escapeByte;
  if (quoteByte !== undefined && beforeQuote !== undefined) prefixes.set(quoteByte, beforeQuote);
  if (escapeByte !== undefined) prefixes.set(escapeByte, escapeByte);
  return prefixes;
}

/** 1 for each of these bytes. */
function marksOf(bytes: readonly (number | undefined)[]): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of bytes) if (byte !== undefined) marks[byte] = 1;
  return marks;
}

/** @param character one ASCII character. */
export function byteOf(character: string | null): number | undefined {
  return character?.charCodeAt(0);
}
