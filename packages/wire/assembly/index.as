// What the host calls: src/kernels/wasm/engine.ts. One batch at a time; the host copies input in and buffers out.
import { allocate, arenaTop, countDamage, releaseTo, resetArena, SLACK } from "./arena";
import {
  Column,
  commit,
  dropColumns,
  forget,
  growRows,
  KEY,
  layPlanned,
  LIST_NAME,
  makeColumn,
  NEVER,
  PLANNED,
  rewindColumns,
  rowCapacity,
  saveColumns,
  seek,
  setOutlook,
  setRowCapacity,
  sizeAt,
} from "./column";
import {
  addColumn,
  firstColumn,
  growAllRows,
  isTableLaidBefore,
  numColumns,
  setSeed,
  startTable,
  truncate,
} from "./column-table";
import { crc32c, crc32cOf8, makeCrcTables, masked } from "./crc32c";
import { numSightings } from "./entry-column";
import { setListPolicy } from "./feature-list";
import { dropMisfits, misfit } from "./misfits";
import { decodeRecord, firstListsRow, forgetLists, startRecords } from "./record";
import { errorAt } from "./scan";
import {
  addListColumn,
  finishList,
  hintSteps,
  layPlannedList,
  listSizeAt,
  rewindSteps,
  stepsOf,
} from "./steps";
import { appendBytes, APPENDED } from "./values";
import {
  BATCH_TOO_LARGE,
  BYTES,
  DATA_CRC,
  LENGTH_CRC,
  MALFORMED_PAYLOAD,
  OK,
  RECORD_TOO_LONG,
} from "./wire-tags";

/** Bytes before and behind a payload. */
const FRAME_HEAD: usize = 12;
const FRAME_TAIL: usize = 4;
/** A record of n bytes makes at most this many times n of output: an int64 of one byte becomes eight, and once raw. */
const MAX_GROWTH: f64 = 9;

/** Instead of what a feature list's name means that no column has. */
const NO_LISTS: u32 = 3;

/** What a push came to, as the host reads it. */
@unmanaged
class Outcome {
  /** Bytes of framed input, or records. */
  consumed: u32;
  /** Records taken, skipped ones included. */
  numRecords: u32;
  numSkipped: u32;
  isFull: u32;
  /** On an error: where. */
  errorAt: usize;
  /** On a misfit: the column of its name, and the kind found. */
  misfit: usize;
  /** Bytes of the whole frame that the input ends in, 0 if it ends within a frame's head, or between two. */
  frameBytes: f64;
}
const OUTCOME: usize = memory.data(offsetof<Outcome>(), 64);
const outcome: Outcome = changetype<Outcome>(OUTCOME);

let input: usize = 0;
let inputCapacity: usize = 0;
let numRows: u32 = 0;
let isSkipping: bool = false;
let raw: usize = 0;
/** Input bytes that can be taken before the batch's bytes have to be counted again, and the limit this goes by. */
let uncounted: f64 = 0;
let countedFor: f64 = 0;
/** Rows that the batch may have. */
let rowLimit: f64 = 0;

/** Once per instance, before all else. Returns where the host finds the outcome of a push. */
export function initialize(seed: u64): usize {
  resetArena();
  makeCrcTables();
  setSeed(seed);
  return OUTCOME;
}

/**
 * Drops the batch at hand and starts an empty one without columns; false when memory is refused. Records are Examples
 * when `listPolicy` is `NO_LISTS`.
 */
export function begin(
  policy: u32,
  listPolicy: u32,
  skipsMalformed: bool,
  numRowsHint: u32,
  keepsRaw: bool,
): bool {
  resetArena();
  dropColumns();
  input = 0;
  inputCapacity = 0;
  numRows = 0;
  uncounted = 0;
  setOutlook(0);
  raw = 0;
  isSkipping = skipsMalformed;
  startRecords(policy, listPolicy != NO_LISTS);
  setListPolicy(listPolicy);
  setRowCapacity(max((numRowsHint + 63) & ~63, 64));
  if (!startTable()) return false;
  if (!keepsRaw) return true;
  raw = makeColumn(0, 0, PLANNED, BYTES);
  return raw != 0 && layPlanned(changetype<Column>(raw));
}

/** Address of room for `size` bytes of input and slack; 0 when memory is refused. What was there is lost. */
export function inputOf(size: usize): usize {
  if (size > inputCapacity) {
    input = allocate(<u64>size + SLACK);
    inputCapacity = input == 0 ? 0 : size;
  }
  return input;
}

/**
 * Adds the columns described in the input, one after the other: six words (role, kind, hints of values, bytes and
 * steps, length of the name with `LIST_NAME`) and the name, up to the next word. False when memory is refused.
 */
export function addColumns(count: u32): bool {
  let p = input;
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(p, 20);
    const address = addDescribed(p, length);
    if (address == 0) return false;
    p += (24 + <usize>(length & ~LIST_NAME) + 3) & ~3;
  }
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    const column = changetype<Column>(address);
    if (!(column.steps == 0 ? layPlanned(column) : layPlannedList(column))) return false;
  }
  return true;
}

function addDescribed(p: usize, length: u32): usize {
  const isList = (length & LIST_NAME) != 0;
  const role = load<u32>(p);
  const kind = load<u32>(p, 4);
  const address = isList ? addListColumn(p + 24, length, role, kind) : addColumn(p + 24, length, role, kind);
  if (address == 0) return 0;
  let column = changetype<Column>(address);
  if (isList) {
    hintSteps(column, load<u32>(p, 16));
    column = stepsOf(column);
  }
  column.valueHint = load<u32>(p, 8);
  column.byteHint = load<u32>(p, 12);
  return address;
}

/** Hints for the raw records: as of a column. */
export function hintRaw(numBytes: u32): void {
  changetype<Column>(raw).byteHint = numBytes;
}

/** Decodes the whole frames in the first `length` bytes of the input. Returns a status; more is in the outcome. */
export function pushFrames(
  length: usize,
  maxRows: f64,
  maxBytes: f64,
  verifiesPayload: bool,
  maxRecordBytes: f64,
): u32 {
  const end = input + length;
  let p = input;
  let status = OK;
  startOutcome();
  while (p < end) {
    if (isFull(maxRows, maxBytes)) {
      outcome.isFull = 1;
      break;
    }
    status = checkFrame(p, end, verifiesPayload, maxRecordBytes);
    if (status != OK || outcome.frameBytes > 0) break;
    const payload = p + FRAME_HEAD;
    const payloadEnd = payload + load<u32>(p);
    status = takeRecord(payload, payloadEnd);
    if (status != OK) break;
    p = payloadEnd + FRAME_TAIL;
    outcome.numRecords++;
  }
  outcome.consumed = <u32>(p - input);
  if (status == OK) outcome.isFull |= <u32>isFull(maxRows, maxBytes);
  return status;
}

/** Decodes `count` records, whose bounds lie as pairs of words, relative to the input, at `bounds`. */
export function pushRecords(bounds: usize, count: u32, maxRows: f64, maxBytes: f64): u32 {
  let status = OK;
  startOutcome();
  for (let i: u32 = 0; i < count; i++) {
    if (isFull(maxRows, maxBytes)) break;
    const pair = bounds + ((<usize>i) << 3);
    status = takeRecord(input + load<u32>(pair), input + load<u32>(pair, 4));
    if (status != OK) break;
    outcome.numRecords++;
  }
  outcome.consumed = outcome.numRecords;
  if (status == OK) outcome.isFull = <u32>isFull(maxRows, maxBytes);
  return status;
}

/** Bounds of whole frames in the input, as pairs of words relative to it, at `bounds`: at most `most`. */
export function scanFrames(
  length: usize,
  bounds: usize,
  most: u32,
  verifiesPayload: bool,
  maxRecordBytes: f64,
): u32 {
  const end = input + length;
  let p = input;
  let status = OK;
  startOutcome();
  while (outcome.numRecords < most) {
    status = checkFrame(p, end, verifiesPayload, maxRecordBytes);
    if (status != OK || outcome.frameBytes > 0) break;
    const payload = p + FRAME_HEAD;
    const payloadEnd = payload + load<u32>(p);
    const pair = bounds + ((<usize>outcome.numRecords) << 3);
    store<u32>(pair, <u32>(payload - input));
    store<u32>(pair, <u32>(payloadEnd - input), 4);
    p = payloadEnd + FRAME_TAIL;
    outcome.numRecords++;
  }
  outcome.consumed = <u32>(p - input);
  return status;
}

/** CRC-32C of the first `length` bytes of the input. */
export function crcOfInput(length: usize, before: u32): u32 {
  return crc32c(input, length, before);
}

/** Bytes of the batch so far. */
export function numBytes(): f64 {
  let total: f64 = raw == 0 ? 0 : sizeAt(changetype<Column>(raw), numRows);
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    const column = changetype<Column>(address);
    total += column.steps == 0 ? sizeAt(column, numRows) : listSizeAt(column, numRows);
  }
  return total;
}

export function rows(): u32 {
  return numRows;
}

/** Ends every column that is in the batch. Returns the first column; 0 when there is none. */
export function finish(): usize {
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    const column = changetype<Column>(address);
    if (column.firstRow == NEVER) continue;
    if (column.steps != 0 && !finishList(column, numRows)) return NEVER;
    if (column.kind != 0 && !seek(column, numRows)) return NEVER;
  }
  if (raw != 0 && !seek(changetype<Column>(raw), numRows)) return NEVER;
  return firstColumn;
}

export function rawColumn(): usize {
  return raw;
}

/** Whether a record of the batch has a `FeatureLists`. */
export function hasFeatureLists(): bool {
  return firstListsRow != NEVER;
}

/** Where the memory of the batch at hand ends: what lies behind was needed by other batches. */
export function bytesUsed(): usize {
  return arenaTop();
}

export function keyOffset(): usize {
  return KEY;
}

/** With canaries: blocks of the batch at hand whose surroundings were written to. */
export function damage(): u32 {
  return countDamage();
}

function startOutcome(): void {
  memory.fill(OUTCOME, 0, offsetof<Outcome>());
}

function isFull(maxRows: f64, maxBytes: f64): bool {
  if (<f64>numRows >= maxRows) return true;
  if (numRows == 0 || (uncounted > 0 && countedFor == maxBytes)) return false;
  // Counting takes a walk over all columns, so count again only when the limit may have been reached.
  uncounted = floor((maxBytes - numBytes()) / MAX_GROWTH);
  countedFor = maxBytes;
  rowLimit = maxRows;
  return uncounted <= 0;
}

/**
 * Checks the frame at `p`: its length's checksum, the length against the limit, and the payload's checksum. A length
 * is trusted only after its checksum. Sets the outcome's `frameBytes` when the frame does not end before `end`.
 */
function checkFrame(p: usize, end: usize, verifiesPayload: bool, maxRecordBytes: f64): u32 {
  const left = end - p;
  if (left < FRAME_HEAD) {
    outcome.frameBytes = <f64>FRAME_HEAD;
    return OK;
  }
  let status = OK;
  const length = load<u32>(p);
  if (masked(crc32cOf8(p)) != load<u32>(p, 8)) status = LENGTH_CRC;
  else if (load<u32>(p, 4) != 0 || <f64>length > maxRecordBytes) status = RECORD_TOO_LONG;
  else if (<u64>length + FRAME_HEAD + FRAME_TAIL > <u64>left) {
    outcome.frameBytes = <f64>length + <f64>(FRAME_HEAD + FRAME_TAIL);
    return OK;
  } else if (verifiesPayload) {
    const payload = p + FRAME_HEAD;
    if (masked(crc32c(payload, length, 0)) != load<u32>(payload + length)) status = DATA_CRC;
  }
  if (status != OK) outcome.errorAt = p;
  return status;
}

function takeRecord(from: usize, to: usize): u32 {
  const row = numRows;
  if (row >= rowCapacity && !growAll(row)) return refused(from);
  const numColumnsBefore = numColumns;
  const numSightingsBefore = numSightings;
  const mark = arenaTop();
  saveColumns();
  const status = decodeRecord(from, to, row);
  if (status != OK) {
    if (status == MALFORMED_PAYLOAD && isSkipping) {
      skip(row, numColumnsBefore, mark);
      return OK;
    }
    outcome.errorAt = errorAt;
    if (status != MALFORMED_PAYLOAD && status != BATCH_TOO_LARGE) {
      outcome.misfit = misfit;
      outcome.errorAt = changetype<Column>(misfit).misfitAt;
    }
    return status;
  }
  if (numSightings == numSightingsBefore && numColumns != numColumnsBefore) {
    // Names that must not be there, all taken back within the record.
    truncate(numColumnsBefore);
    release(mark);
  }
  if (raw != 0) {
    const column = changetype<Column>(raw);
    if (!seek(column, row) || appendBytes(column, from, to) != APPENDED) return refused(from);
    commit(column);
  }
  numRows = row + 1;
  // A column takes five bytes a row at most; one that is new to the batch takes them for the rows before as well.
  uncounted = numSightings == numSightingsBefore ? uncounted - <f64>(to - from + numColumns + 1) : 0;
  return OK;
}

function refused(at: usize): u32 {
  outcome.errorAt = at;
  return BATCH_TOO_LARGE;
}

function growAll(row: u32): bool {
  setOutlook(min(rowLimit / <f64>row, countedFor / numBytes()));
  if (raw != 0 && !growRows(changetype<Column>(raw), max(row + 1, rowCapacity * 2))) return false;
  return growAllRows(row + 1);
}

/** Drops the memory laid since `mark`, if only columns that are gone have some of it. */
function release(mark: usize): void {
  const isUnused = isTableLaidBefore(mark);
  if (isUnused) releaseTo(mark);
  rewindColumns(isUnused);
}

/** Takes back what a record has put into `row`, new columns and their memory included. */
function skip(row: u32, numColumnsBefore: u32, mark: usize): void {
  dropMisfits();
  forgetLists(row);
  truncate(numColumnsBefore);
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    forget(changetype<Column>(address), row);
    if (changetype<Column>(address).steps != 0) rewindSteps(changetype<Column>(address));
  }
  release(mark);
  outcome.numSkipped++;
}
