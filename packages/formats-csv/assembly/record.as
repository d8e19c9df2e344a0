// Reads one record of the input as the next row.
import { cellEnd, cellNext, cellStart, endOfPlainCell, scanCopying, scanQuotedCell } from "./cell";
import {
  BYTES,
  capacity,
  columnAt,
  COLUMN_BYTES,
  columns,
  DEFERRED,
  growColumns,
  numColumns,
  SKIP,
  storeCell,
  STORED,
  storeNull,
} from "./columns";
import { defer } from "./deferred";
import { CR, delimiter, escape, isLineBreak, LF, quote } from "./dialect";
import { isMarker, longestMarker, quotedNulls } from "./null-markers";
import { areAllPlain, findPlainCells, plainCellEnd, plainNext } from "./plain-cells";
import { BATCH_TOO_LARGE, INCOMPLETE, OK } from "./status";

/** For the last record read: number of cells, start of its line end, start of the next record, and total bytes of text. */
export let numCells: u32 = 0;
export let recordEnd: usize = 0;
export let recordNext: usize = 0;
export let textBytes: u32 = 0;

/** Reads the record at `start`. A blank line is read as a row of nulls. */
export function readRecord(
  start: usize,
  end: usize,
  isLast: bool,
  row: u32,
  recordStart: u32,
  record: u32,
): u32 {
  if (row >= capacity && !growColumns()) return BATCH_TOO_LARGE;
  textBytes = 0;
  numCells = 0;
  if (isLineBreak(load<u8>(start))) {
    storeBlankRow(row);
    return endRecord(start, end, isLast);
  }
  const numPlain = findPlainCells(start, end);
  const numStored = min(numPlain, numColumns);
  let cell = start;
  for (let index: u32 = 0; index < numStored; index++) {
    const cellEnd = plainCellEnd(index);
    if (!takeCell(index, row, cell, cellEnd, false, recordStart, record)) return BATCH_TOO_LARGE;
    cell = cellEnd + 1;
  }
  numCells = numPlain;
  if (areAllPlain) return endRecord(plainNext, end, isLast);
  return readCells(plainNext, end, isLast, row, recordStart, record);
}

/** Reads the remaining cells of a record, from the cell at `p` on. */
function readCells(p: usize, end: usize, isLast: bool, row: u32, recordStart: u32, record: u32): u32 {
  const delimiters = i8x16.splat(<i8>delimiter);
  const escapes = i8x16.splat(<i8>(escape < 0 ? delimiter : escape));
  while (true) {
    let textStart = p;
    let textEnd: usize;
    let isQuoted = false;
    if (<i32>load<u8>(p) == quote && p < end) {
      const status = scanQuotedCell(p, end, isLast);
      if (status != OK) return status;
      textStart = cellStart;
      textEnd = cellEnd;
      p = cellNext;
      isQuoted = true;
    } else {
      p = endOfPlainCell(p, delimiters, escapes);
      if (p >= end) {
        if (!isLast) return INCOMPLETE;
        p = end;
      }
      textEnd = p;
      if (p < end && <i32>load<u8>(p) == escape) {
        const status = scanCopying(textStart, end, isLast);
        if (status != OK) return status;
        textStart = cellStart;
        textEnd = cellEnd;
        p = cellNext;
      }
    }
    const index = numCells++;
    if (index < numColumns && !takeCell(index, row, textStart, textEnd, isQuoted, recordStart, record)) {
      return BATCH_TOO_LARGE;
    }
    if (p >= end || load<u8>(p) != delimiter) return endRecord(p, end, isLast);
    p++;
  }
}

/** Stores a cell, or defers it. False when memory runs out. */
// @ts-ignore: decorator
@inline
function takeCell(
  index: u32,
  row: u32,
  start: usize,
  end: usize,
  isQuoted: bool,
  recordStart: u32,
  record: u32,
): bool {
  const column = columnAt(index);
  const kind = load<u32>(column);
  if (kind == SKIP) return true;
  const length = end - start;
  // Without markers, `longestMarker` is -1.
  if (<i32>length <= longestMarker && (quotedNulls || !isQuoted) && isMarker(start, length)) {
    storeNull(column, kind, row);
    return true;
  }
  if (kind == BYTES) textBytes += <u32>length;
  const stored = storeCell(column, kind, row, start, end);
  if (stored == STORED) return true;
  return stored == DEFERRED && defer(index, row, start, length, recordStart, record);
}

function endRecord(p: usize, end: usize, isLast: bool): u32 {
  recordEnd = p;
  recordNext = p < end ? lineEnd(p, end, isLast) : p;
  return recordNext == 0 ? INCOMPLETE : OK;
}

/** The position after the line end at `p`; 0 if the input ends with a CR that an LF may follow. */
export function lineEnd(p: usize, end: usize, isLast: bool): usize {
  if (load<u8>(p) != CR) return p + 1;
  if (p + 1 == end) return isLast ? end : 0;
  return load<u8>(p, 1) == LF ? p + 2 : p + 1;
}

function storeBlankRow(row: u32): void {
  let column = columns;
  for (let index: u32 = 0; index < numColumns; index++) {
    const kind = load<u32>(column);
    if (kind != SKIP) storeNull(column, kind, row);
    column += COLUMN_BYTES;
  }
}
