import type { CsvEncodeOptions } from "../encode-options.js";
import { bytesOf } from "../dialect.js";
import type { QuoteEscapes, TextBuffer } from "./text-buffer.js";

/** The options that determine quoting. */
export type QuotingDialect = Pick<
  CsvEncodeOptions,
  "delimiter" | "quote" | "doubledQuote" | "escape" | "multiline"
>;

/** The texts and first bytes that give a cell a special meaning for readers. */
export interface CellMeanings {
  /** Unquoted texts with a special meaning. A cell with the same text is quoted. */
  readonly markers: readonly Uint8Array[];
  /** First bytes with a special meaning at the start of a record, such as the first byte of a byte order mark or a comment. */
  readonly leading?: readonly number[];
}

/** Reason why a dialect cannot represent a cell; also the `reason` of the error. */
export type Inexpressible = "needs-quotes" | "needs-escape" | "line-break";

/** The end of an error message, by the reason of the error. */
export const QUOTING_PROBLEMS: Readonly<Record<Inexpressible, string>> = {
  "needs-quotes": "must be quoted, but `quote` is null",
  "needs-escape": "holds a quote, but neither `doubledQuote` nor `escape` is set",
  "line-break": "holds a line break, but `multiline` is false",
};

/** Ends the cell that begins at `start`. Quotes it if readers would otherwise misread it. Returns the reason if that fails. */
export type EndCell = (text: TextBuffer, start: number) => Inexpressible | undefined;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Returns the quoting function for the cells of a column. @see RFC 4180, section 2, rules 5 to 7 */
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

/** Returns the prefixes that quotes and escapes need within a quoted cell. */
function escapesOf({ quote, escape, doubledQuote }: QuotingDialect): QuoteEscapes {
  const [quoteBytes, escapeBytes] = [bytesOf(quote ?? ""), bytesOf(escape ?? "")];
  const escaped = escapeBytes.length === 0 ? [] : [{ mark: escapeBytes, prefix: escapeBytes }];
  return [{ mark: quoteBytes, prefix: doubledQuote ? quoteBytes : escapeBytes }, ...escaped];
}

/** Returns a table of 256 entries: 1 at each of the given bytes, 0 elsewhere. */
function marksOf(bytes: readonly (number | undefined)[]): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of bytes) if (byte !== undefined) marks[byte] = 1;
  return marks;
}

/** @param character A single ASCII character. */
export function byteOf(character: string | null): number | undefined {
  return character?.charCodeAt(0);
}
