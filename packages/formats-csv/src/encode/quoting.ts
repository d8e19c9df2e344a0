import type { CsvEncodeOptions } from "../encode-options.js";
import { bytesOf } from "../dialect.js";
import type { QuoteEscapes, TextBuffer } from "./text-buffer.js";

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
  const escape = byteOf(dialect.escape);
  const quote = bytesOf(dialect.quote ?? "");
  const lineBreaks = marksOf([LINE_FEED, CARRIAGE_RETURN]);
  const marks = [bytesOf(delimiter), quote].filter(({ length }) => length > 0);
  const single = marks.filter(({ length }) => length === 1).map(([byte]) => byte);
  const long = marks.filter(({ length }) => length > 1);
  const special = marksOf([LINE_FEED, CARRIAGE_RETURN, ...single, escape]);
  const hasNoEscape = !dialect.doubledQuote && escape === undefined;
  const escapes = escapesOf(dialect);
  return (text, start) => {
    const mustQuote =
      text.hasMarked(start, special) ||
      long.some((mark) => text.runsInto(start, mark)) ||
      markers.some((marker) => text.equals(start, marker)) ||
      (leading.length > 0 && text.length > start && leading.includes(text.byteAt(start)));
    if (!mustQuote) return undefined;
    if (quote.length === 0) return "needs-quotes";
    if (!multiline && text.hasMarked(start, lineBreaks)) return "line-break";
    if (hasNoEscape && text.includes(start, quote)) return "needs-escape";
    text.quoteFrom(start, quote, escapes);
    return undefined;
  };
}

/** The bytes that precede quotes and escapes within quotes. */
function escapesOf({ quote, escape, doubledQuote }: QuotingDialect): QuoteEscapes {
  const [quoteBytes, escapeBytes] = [bytesOf(quote ?? ""), bytesOf(escape ?? "")];
  const escaped = escapeBytes.length === 0 ? [] : [{ mark: escapeBytes, prefix: escapeBytes }];
  return [{ mark: quoteBytes, prefix: doubledQuote ? quoteBytes : escapeBytes }, ...escaped];
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
