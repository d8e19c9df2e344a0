import type { CsvOptions } from "./options.js";

/** No byte: what a dialect has in place of a character that it lacks. */
export const NO_BYTE = -1;

/** The characters of a dialect as bytes, and its rules, as tokenizers take them. */
export interface Dialect {
  readonly delimiter: number;
  readonly quote: number;
  readonly escape: number;
  readonly comment: number;
  readonly doubledQuote: boolean;
  readonly multiline: boolean;
  readonly skipBlankLines: boolean;
}

/** The dialect that the options describe. */
export function dialectOf(options: CsvOptions): Dialect {
  const { delimiter, quote, escape, comment, doubledQuote, multiline, skipBlankLines } = options;
  return {
    delimiter: byteOf(delimiter),
    quote: byteOf(quote),
    escape: byteOf(escape),
    comment: byteOf(comment),
    doubledQuote,
    multiline,
    skipBlankLines,
  };
}

function byteOf(character: string | null): number {
  return character?.charCodeAt(0) ?? NO_BYTE;
}
