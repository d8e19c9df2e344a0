import type { CsvOptions } from "./options.js";

/** Value of `escape` or `comment` in a dialect without such a character. It differs from every byte. */
export const NO_BYTE = -1;

/** A CSV dialect in the form that tokenizers need: its characters as bytes, and its rules as flags. */
export interface Dialect {
  /** In UTF-8; one byte or more. */
  readonly delimiter: Uint8Array;
  /** In UTF-8; empty if the dialect has no quote. */
  readonly quote: Uint8Array;
  /** An ASCII byte, or {@link NO_BYTE}. */
  readonly escape: number;
  /** An ASCII byte, or {@link NO_BYTE}. */
  readonly comment: number;
  readonly doubledQuote: boolean;
  readonly multiline: boolean;
  readonly skipBlankLines: boolean;
}

/** Converts checked options to a dialect. */
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

/** Encodes the text of an option in UTF-8, the encoding of files. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function byteOf(character: string | null): number {
  return character?.charCodeAt(0) ?? NO_BYTE;
}
