import type { TextBuffer } from "./text-buffer.js";

/** What a reader would take for something else than the text of a cell. */
export interface QuotingRules {
  readonly delimiter: string;
  readonly quote: string | null;
  /** Unquoted texts that mean something; a cell of the same text is quoted. */
  readonly markers: readonly Uint8Array[];
  /** First bytes that mean something where a cell begins a record: of a byte order mark, of a comment. */
  readonly leading?: readonly number[];
}

/**
 * Ends the cell that was appended from `start` on: quotes it where it would not read as it is.
 * False when it has to be quoted and the dialect has no quotes.
 */
export type EndCell = (text: TextBuffer, start: number) => boolean;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Cells of one column. @see RFC 4180, section 2, rules 5 to 7 */
export function cellQuoting({ delimiter, quote, markers, leading = [] }: QuotingRules): EndCell {
  const marks = new Uint8Array(256);
  for (const byte of [LINE_FEED, CARRIAGE_RETURN, byteOf(delimiter)]) marks[byte] = 1;
  const quoteByte = quote === null ? undefined : byteOf(quote);
  if (quoteByte !== undefined) marks[quoteByte] = 1;
  return (text, start) => {
    const mustQuote =
      text.hasMarked(start, marks) ||
      markers.some((marker) => text.equals(start, marker)) ||
      (leading.length > 0 && text.length > start && leading.includes(text.byteAt(start)));
    if (!mustQuote) return true;
    if (quoteByte === undefined) return false;
    text.quoteFrom(start, quoteByte);
    return true;
  };
}

/** @param character one ASCII character. */
function byteOf(character: string): number {
  return character.charCodeAt(0);
}
