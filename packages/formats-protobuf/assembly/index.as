// The functions that the host calls: `KernelExports` of src/kernels/wasm/kernel-exports.ts. Only one decoder at a time uses an
// instance.
import { bytesBelow, clearBatchSize, isFullBySize } from "./batch-size";
import { limitBudget } from "./budget";
import { Column, layBlocks, layColumn, truncate } from "./column";
import { errorAt, errorPlan } from "./failure";
import { bounds, forgetInput, input, makeRoom } from "./input";
import { allocate, hasGaps, memoryTop, releaseTo } from "./memory";
import { MessagePlan } from "./message-plan";
import { readRecord } from "./record";
import { BATCH_TOO_LARGE, OK } from "./status";
import { bitmap, findValidity, forgetBitmap, nullCount } from "./validity";

let root: usize = 0;
let numRows: u32 = 0;
/** Addresses of all columns. */
let columns: usize = 0;
let numColumns: u32 = 0;
/** Start of the blocks of columns. */
let firstBlock: usize = 0;

/** The results of a call, eight words that the host reads. */
const outcome: usize = memory.data(32);
const NUM_DECODED: usize = 0;
const IS_FULL: usize = 4;
const ERROR_AT: usize = 8;
const ERROR_PLAN: usize = 12;
const NULL_COUNT: usize = 16;
const BITMAP: usize = 20;
const INPUT: usize = 24;
const BOUNDS: usize = 28;

export function outcomeAddress(): usize {
  return outcome;
}

/** Allocates zeroed memory for a plan, which the host writes. Discards the previous plan. Returns 0 when memory runs out. */
export function layPlan(numBytes: u32): usize {
  releaseTo(__heap_base);
  forgetInput();
  forgetBitmap();
  numRows = 0;
  clearBatchSize();
  const address = allocate(numBytes);
  if (address != 0) memory.fill(address, 0, numBytes);
  return address;
}

/** Allocates the initial memory of the plan's columns; false when memory runs out. */
export function start(rootPlan: usize, allColumns: usize, count: u32, memoryLimit: f64): bool {
  root = rootPlan;
  columns = allColumns;
  numColumns = count;
  firstBlock = memoryTop();
  limitBudget(memoryLimit);
  for (let index: u32 = 0; index < count; index++) {
    if (!layColumn(columnAt(index))) return false;
  }
  return true;
}

/** Calls {@link makeRoom}, and puts the addresses {@link input} and {@link bounds} in the outcome. */
export function roomFor(numBytes: u32, numRecords: u32): bool {
  const isThere = makeRoom(numBytes, numRecords);
  store<u32>(outcome, <u32>input, INPUT);
  store<u32>(outcome, <u32>bounds, BOUNDS);
  return isThere;
}

/**
 * Appends rows for the copied records, until the batch is full or a record cannot be decoded. The address of a byte is its offset
 * in the host's record block plus `shift`.
 */
export function decode(numRecords: u32, shift: u32, maxRows: f64, maxBytes: f64): u32 {
  let status = OK;
  let isFull = false;
  let index: u32 = 0;
  const plan = changetype<MessagePlan>(root);
  while (index < numRecords && !isFull) {
    const from = <usize>(load<u32>(bounds + (<usize>index << 2)) + shift);
    const to = <usize>(load<u32>(bounds + (<usize>(numRecords + index) << 2)) + shift);
    status = readRecord(plan, numRows, from, to);
    if (status != OK) {
      if (status != BATCH_TOO_LARGE) dropRow(plan);
      break;
    }
    numRows++;
    index++;
    isFull = isBatchFull(plan, to - from, maxRows, maxBytes);
  }
  store<u32>(outcome, index, NUM_DECODED);
  store<u32>(outcome, isFull, IS_FULL);
  store<u32>(outcome, <u32>errorAt, ERROR_AT);
  store<u32>(outcome, <u32>errorPlan, ERROR_PLAN);
  return status;
}

/** Appends a row of nulls for a damaged record; true if the batch is then full. */
export function addNullRow(recordBytes: u32, maxRows: f64, maxBytes: f64): bool {
  numRows++;
  return isBatchFull(changetype<MessagePlan>(root), recordBytes, maxRows, maxBytes);
}

/** Determines which lists of a column have items; false when memory runs out. */
export function listValidity(column: usize, numParents: u32): bool {
  const isFound = findValidity(changetype<Column>(column), numParents);
  store<u32>(outcome, nullCount, NULL_COUNT);
  store<u32>(outcome, <u32>bitmap, BITMAP);
  return isFound;
}

/** Bytes of the batch: values, offsets and bitmaps of all columns. */
export function numBytes(): f64 {
  return bytesBelow(changetype<MessagePlan>(root), numRows);
}

/** Starts an empty batch. If blocks have been abandoned, all columns are allocated again, without gaps. */
export function clear(): void {
  numRows = 0;
  clearBatchSize();
  const isLaidAnew = hasGaps;
  if (isLaidAnew) {
    releaseTo(firstBlock);
    forgetInput();
    forgetBitmap();
  }
  for (let index: u32 = 0; index < numColumns; index++) {
    const column = columnAt(index);
    column.lastParent = -1;
    column.numItems = 0;
    // This takes no more memory than before, so it cannot fail.
    if (isLaidAnew) layBlocks(column);
  }
}

function columnAt(index: u32): Column {
  return changetype<Column>(<usize>load<u32>(columns + (<usize>index << 2)));
}

function dropRow(plan: MessagePlan): void {
  for (let index: u32 = 0; index < plan.numColumns; index++) truncate(plan.columnAt(index), <i32>numRows);
}

function isBatchFull(plan: MessagePlan, recordBytes: usize, maxRows: f64, maxBytes: f64): bool {
  return <f64>numRows >= maxRows || isFullBySize(plan, numRows, recordBytes, maxBytes);
}
