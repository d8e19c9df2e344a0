// The dialect, with characters as bytes. -1 represents a character that the dialect lacks.

export let delimiter: u32 = 0;
export let quote: i32 = -1;
export let escape: i32 = -1;
export let comment: i32 = -1;
export let doubledQuote: bool = true;
export let multiline: bool = true;
export let skipBlankLines: bool = true;

export const LF: u32 = 10;
export const CR: u32 = 13;

export function setDialect(
  delimiterByte: u32,
  quoteByte: i32,
  escapeByte: i32,
  commentByte: i32,
  hasDoubledQuote: bool,
  isMultiline: bool,
  skipsBlankLines: bool,
): void {
  delimiter = delimiterByte;
  quote = quoteByte;
  escape = escapeByte;
  comment = commentByte;
  doubledQuote = hasDoubledQuote;
  multiline = isMultiline;
  skipBlankLines = skipsBlankLines;
}

// @ts-ignore: decorator
@inline
export function isLineBreak(byte: u32): bool {
  return byte == LF || byte == CR;
}
