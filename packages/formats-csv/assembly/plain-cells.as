// Finds cells that neither begin with a quote nor contain an escape. V8 spills values that are live across a call. The search
// therefore calls no functions and stores only the ends of cells, so that its state stays in registers. `readRecord` of record.as
// then converts the cells in a second loop.
import { breaksOfBlock, BLOCK_BYTES } from "./cell";
import { delimiter, escape, isLineBreak, quote } from "./dialect";

/** Maximum number of cells to find at once. `readCells` of record.as reads further cells of a record. */
const MAX_CELLS: u32 = 128;
/** The end of each cell. */
const ends: usize = memory.data(512);

/** The position after the cells found: the next cell, or the line end if the record has no more cells. */
export let plainNext: usize = 0;
export let areAllPlain: bool = false;

/**
 * Finds the plain cells at the start of a record and returns their number. The search never passes the line feed after the input,
 * so only the positions of line breaks are compared with `end`.
 */
export function findPlainCells(start: usize, end: usize): u32 {
  const delimiterByte = delimiter;
  const quoteByte = quote;
  const delimiters = i8x16.splat(<i8>delimiterByte);
  const escapes = i8x16.splat(<i8>(escape < 0 ? delimiterByte : escape));
  let block = start;
  let breaks = breaksOfBlock(block, delimiters, escapes);
  let p = start;
  let count: u32 = 0;
  areAllPlain = false;
  while (count < MAX_CELLS && <i32>load<u8>(p) != quoteByte) {
    while (breaks == 0) {
      block += BLOCK_BYTES;
      breaks = breaksOfBlock(block, delimiters, escapes);
    }
    const at = block + <usize>ctz(breaks);
    breaks &= breaks - 1;
    const byte = <u32>load<u8>(at);
    if (byte == delimiterByte) {
      storeEnd(count++, at);
      p = at + 1;
      continue;
    }
    if (at < end && isLineBreak(byte)) {
      storeEnd(count++, at);
      p = at;
      areAllPlain = true;
    }
    break;
  }
  plainNext = p;
  return count;
}

// @ts-ignore: decorator
@inline
function storeEnd(index: u32, end: usize): void {
  store<u32>(ends + ((<usize>index) << 2), <u32>end);
}

// @ts-ignore: decorator
@inline
export function plainCellEnd(index: u32): usize {
  return <usize>load<u32>(ends + ((<usize>index) << 2));
}
