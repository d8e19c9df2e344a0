// Finds the bounds and the text of a cell. A quote opens quoted text only at the start of a cell. Text after the closing quote
// belongs to the cell, and quotes in it are literal.
import { CR, delimiter, doubledQuote, escape, isLineBreak, LF, multiline, quote } from "./dialect";
import { allocate } from "./memory";
import { BATCH_TOO_LARGE, INCOMPLETE, LINE_BREAK, OK, UNCLOSED } from "./status";

/** Bounds of the text of the last cell found. */
export let cellStart: usize = 0;
export let cellEnd: usize = 0;
/** End of the cell in the input: a delimiter, a line break, or the end of the input. */
export let cellNext: usize = 0;

let scratch: usize = 0;
let scratchSize: usize = 0;

/** Number of bytes that are searched at once. */
export const BLOCK_BYTES: usize = 64;

/** A bit for each delimiter, line break and escape among the 64 bytes from `p` on. */
// @ts-ignore: decorator
@inline
export function breaksOfBlock(p: usize, delimiters: v128, escapes: v128): u64 {
  const first = breaksOf(p, delimiters, escapes);
  const second = breaksOf(p + 16, delimiters, escapes);
  const third = breaksOf(p + 32, delimiters, escapes);
  const fourth = breaksOf(p + 48, delimiters, escapes);
  return first | (second << 16) | (third << 32) | (fourth << 48);
}

// @ts-ignore: decorator
@inline
function breaksOf(p: usize, delimiters: v128, escapes: v128): u64 {
  const bytes = v128.load(p);
  const breaks = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>LF)), i8x16.eq(bytes, i8x16.splat(<i8>CR)));
  const others = v128.or(i8x16.eq(bytes, delimiters), i8x16.eq(bytes, escapes));
  return <u64>(<u32>i8x16.bitmask(v128.or(breaks, others)));
}

/** The first delimiter, line break or escape from `p` on. The input is followed by a line feed. */
// @ts-ignore: decorator
@inline
export function endOfPlainCell(p: usize, delimiters: v128, escapes: v128): usize {
  while (true) {
    const found = breaksOf(p, delimiters, escapes);
    if (found != 0) return p + <usize>ctz(found);
    p += 16;
  }
}

/** Finds a cell that begins with a quote. Most such cells need no copy, because their text is unbroken by escapes or quotes. */
export function scanQuotedCell(start: usize, end: usize, isLast: bool): u32 {
  const quotes = i8x16.splat(<i8>quote);
  const escapes = i8x16.splat(<i8>(escape < 0 ? quote : escape));
  let p = start + 1;
  while (true) {
    if (p >= end) return isLast ? UNCLOSED : INCOMPLETE;
    const bytes = v128.load(p);
    let ends = v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, escapes));
    if (!multiline) {
      const breaks = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>LF)), i8x16.eq(bytes, i8x16.splat(<i8>CR)));
      ends = v128.or(ends, breaks);
    }
    const found = i8x16.bitmask(ends);
    if (found == 0) {
      p += 16;
      continue;
    }
    p += ctz(found);
    if (p >= end) return isLast ? UNCLOSED : INCOMPLETE;
    break;
  }
  if (<i32>load<u8>(p) == quote) {
    const next = p + 1;
    if (next == end && !isLast) return INCOMPLETE;
    if (next == end || endsCell(load<u8>(next))) {
      cellStart = start + 1;
      cellEnd = p;
      cellNext = next;
      return OK;
    }
  }
  return scanCopying(start, end, isLast);
}

/** Finds a cell whose text is interrupted by escapes or quotes, and copies the text. */
export function scanCopying(start: usize, end: usize, isLast: bool): u32 {
  const missing = isLast ? UNCLOSED : INCOMPLETE;
  if (!reserveScratch(end - start)) return BATCH_TOO_LARGE;
  let isWithin = <i32>load<u8>(start) == quote;
  let p = isWithin ? start + 1 : start;
  let target = scratch;
  while (true) {
    if (p == end) {
      if (isWithin || !isLast) return missing;
      break;
    }
    const byte = <i32>load<u8>(p);
    if (byte == escape) {
      if (p + 1 == end) return missing;
      const escaped = load<u8>(p, 1);
      if (!multiline && isLineBreak(escaped)) return LINE_BREAK;
      store<u8>(target++, escaped);
      p += 2;
    } else if (isWithin && byte == quote) {
      if (p + 1 == end && !isLast) return INCOMPLETE;
      isWithin = doubledQuote && p + 1 < end && <i32>load<u8>(p, 1) == quote;
      if (isWithin) store<u8>(target++, <u8>quote);
      p += isWithin ? 2 : 1;
    } else {
      if (isWithin ? !multiline && isLineBreak(byte) : endsCell(byte)) {
        if (isWithin) return LINE_BREAK;
        break;
      }
      store<u8>(target++, <u8>byte);
      p++;
    }
  }
  cellStart = scratch;
  cellEnd = target;
  cellNext = p;
  return OK;
}

/** Makes room for the longest possible text, which is as long as the rest of the input. False when memory runs out. */
function reserveScratch(size: usize): bool {
  if (size <= scratchSize) return true;
  const address = allocate(size * 2);
  if (address == 0) return false;
  scratch = address;
  scratchSize = size * 2;
  return true;
}

// @ts-ignore: decorator
@inline
function endsCell(byte: u32): bool {
  return byte == delimiter || isLineBreak(byte);
}
