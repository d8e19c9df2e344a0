import type { CsvOptions } from "./options.js";

/** Represents a character that a dialect lacks. It equals no byte. */
export const NO_BYTE = -1;

/** The characters of a dialect as bytes, and its rules, in the form that tokenizers need. */
export interface Dialect {
  /** In UTF-8; one byte or more. */
  readonly delimiter: Uint8Array;
  /** In UTF-8; empty without quotes. */
  readonly quote: Uint8Array;
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
    delimiter: bytesOf(delimiter),
    quote: bytesOf(quote ?? ""),
    escape: byteOf(escape),
    comment: byteOf(comment),
    doubledQuote,
    multiline,
    skipBlankLines,
  };
}

/** Text of an option in UTF-8, the encoding of files. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function byteOf(character: string | null): number {
  return character?.charCodeAt(0) ?? NO_BYTE;
}
