// The functions that src/kernels/wasm/wasm-table.ts calls. Each table has a separate instance of this WebAssembly module.
import { clearColumns, layColumns, takeBackRow } from "./columns";
import { entries, numEntries, startDeferred, takeBackDeferred, texts } from "./deferred";
import { comment, isLineBreak, skipBlankLines } from "./dialect";
import { inputEnd, inputStart, takeInput } from "./input";
import { allocate } from "./memory";
import { lineEnd, numCells, readRecord, recordEnd, recordNext, textBytes } from "./record";
import { BATCH_TOO_LARGE, CELL_COUNT, INCOMPLETE, OK, RECORD_TOO_LONG } from "./status";

export { setDialect } from "./dialect";
export { addInput, roomForInput } from "./input";
export { roomForMarkers } from "./null-markers";
export { columnAt } from "./columns";

let expectedCells: u32 = 0;
let skipsBadRows: bool = false;
let keepsBounds: bool = false;
let maxRecordBytes: f64 = 0;
/** Bytes of a row, not counting the text of its cells. */
let rowBytes: f64 = 0;
let allTextBytes: f64 = 0;
export let numRows: u32 = 0;

let bounds: usize = 0;
let boundsCapacity: u32 = 0;

/** The results of a push, 11 words that the host reads. */
const outcome: usize = memory.data(48);
const CONSUMED: usize = 0;
const NUM_RECORDS: usize = 4;
const NUM_SKIPPED: usize = 8;
const IS_FULL: usize = 12;
const NUM_CELLS: usize = 16;
const NUM_DEFERRED: usize = 20;
const DEFERRED_ENTRIES: usize = 24;
const DEFERRED_TEXTS: usize = 28;
const NUM_BOUNDS: usize = 32;
const BOUNDS: usize = 36;
const INPUT: usize = 40;

export function outcomeAddress(): usize {
  return outcome;
}

/** Prepares the table. Its columns have kind `SKIP` until the host sets their kinds. */
export function startTable(
  numColumns: u32,
  cells: u32,
  skipsBad: bool,
  keeps: bool,
  longestRecord: f64,
  bytesOfRow: f64,
): bool {
  expectedCells = cells;
  skipsBadRows = skipsBad;
  keepsBounds = keeps;
  maxRecordBytes = longestRecord;
  rowBytes = bytesOfRow;
  return layColumns(numColumns);
}

/** Takes whole records. `until` and the positions in the outcome are relative to the start of the input. */
export function push(isLast: bool, maxRows: f64, maxBytes: f64, until: f64): u32 {
  const start = inputStart;
  const end = inputEnd;
  const firstRow = numRows;
  let p = start;
  let status = OK;
  let isFull = false;
  let numRecords: u32 = 0;
  let numSkipped: u32 = 0;
  startDeferred();
  store<u32>(outcome, 0, NUM_CELLS);
  for (;;) {
    const place = <u32>(p - start);
    isFull =
      <f64>numRows >= maxRows || <f64>numRows * rowBytes + allTextBytes >= maxBytes || <f64>place >= until;
    if (isFull || p >= end) break;
    const first = <i32>load<u8>(p);
    if (first == comment || (skipBlankLines && isLineBreak(first))) {
      const next = passLine(p, end, isLast);
      if (next == 0) break;
      p = next;
      continue;
    }
    status = readRecord(p, end, isLast, numRows, place, numRecords);
    if (status == OK && <f64>(recordEnd - p) > maxRecordBytes) status = RECORD_TOO_LONG;
    const isBad = status == OK && expectedCells != 0 && numCells != expectedCells && recordEnd != p;
    if (isBad && !skipsBadRows) status = CELL_COUNT;
    if (status == OK && !isBad && keepsBounds && !keepBounds(numRows - firstRow, place, <u32>(recordEnd - start))) {
      status = BATCH_TOO_LARGE;
    }
    if (status != OK || isBad) {
      takeBackRow(numRows);
      takeBackDeferred(place);
      store<u32>(outcome, numCells, NUM_CELLS);
      if (status != OK) break;
      numSkipped++;
    } else {
      numRows++;
      allTextBytes += <f64>textBytes;
    }
    numRecords++;
    p = recordNext;
  }
  const consumed = <u32>(p - start);
  store<u32>(outcome, consumed, CONSUMED);
  store<u32>(outcome, numRecords, NUM_RECORDS);
  store<u32>(outcome, numSkipped, NUM_SKIPPED);
  store<u32>(outcome, isFull, IS_FULL);
  if (status == OK) store<u32>(outcome, numCells, NUM_CELLS);
  store<u32>(outcome, numEntries, NUM_DEFERRED);
  store<u32>(outcome, <u32>entries, DEFERRED_ENTRIES);
  store<u32>(outcome, <u32>texts, DEFERRED_TEXTS);
  store<u32>(outcome, keepsBounds ? numRows - firstRow : 0, NUM_BOUNDS);
  store<u32>(outcome, <u32>bounds, BOUNDS);
  store<u32>(outcome, <u32>start, INPUT);
  takeInput(consumed);
  return status == INCOMPLETE ? OK : status;
}

/** The position after the blank line or comment at `p`; 0 if its end is not in the input yet. */
function passLine(p: usize, end: usize, isLast: bool): usize {
  while (p < end && !isLineBreak(load<u8>(p))) p++;
  if (p == end) return isLast ? end : 0;
  return lineEnd(p, end, isLast);
}

/** Appends the bounds of a row's record. False when memory runs out. */
function keepBounds(index: u32, from: u32, to: u32): bool {
  if (index >= boundsCapacity) {
    const grown = boundsCapacity == 0 ? 1024 : boundsCapacity * 2;
    const address = allocate((<usize>grown) << 3);
    if (address == 0) return false;
    memory.copy(address, bounds, (<usize>boundsCapacity) << 3);
    bounds = address;
    boundsCapacity = grown;
  }
  const entry = bounds + ((<usize>index) << 3);
  store<u32>(entry, from);
  store<u32>(entry, to, 4);
  return true;
}

export function clear(): void {
  clearColumns();
  numRows = 0;
  allTextBytes = 0;
}
