// All columns of a batch: columns that the host described, columns found in the data, and the column of raw records.
import { Column, LIST_NAME, NEVER, PLANNED } from "./column";
import { growRows, rowCapacity } from "./column-growth";
import { layPlanned } from "./column-kind";
import { makeColumn } from "./column-memory";
import { commit, seek, sizeAt } from "./column-rows";
import { addColumn, firstColumn, growAllRows, startTable } from "./column-table";
import { input } from "./input";
import { addListColumn, finishList, hintSteps, layPlannedList, listSizeAt, stepsOf } from "./steps";
import { appendBytes, APPENDED } from "./values";
import { BYTES } from "./wire-tags";

/** The column of raw records; 0 if they are not kept. */
let raw: usize = 0;

/** Starts a batch without columns, except that of raw records if they are kept; false when memory runs out. */
export function startColumns(keepsRaw: bool): bool {
  raw = 0;
  if (!startTable()) return false;
  if (!keepsRaw) return true;
  raw = makeColumn(0, 0, PLANNED, BYTES);
  return raw != 0 && layPlanned(changetype<Column>(raw));
}

export function rawColumn(): usize {
  return raw;
}

/** Sets the expected number of bytes in the raw records of a batch. */
export function hintRaw(numBytes: u32): void {
  changetype<Column>(raw).byteHint = numBytes;
}

/** Copies a record to `row` of the raw record column, if there is one; false when a limit is exceeded or memory runs out. */
export function keepRaw(from: usize, to: usize, row: u32): bool {
  if (raw == 0) return true;
  const column = changetype<Column>(raw);
  if (!seek(column, row) || appendBytes(column, from, to) != APPENDED) return false;
  commit(column);
  return true;
}

/**
 * Adds the columns described in the input; false when memory runs out. Each description has six words, then the name, padded to
 * a whole word. The words are the role, the kind, three hints (numbers of values, bytes and steps), and the length of the name,
 * with the bit `LIST_NAME` for a feature list.
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

/** Makes room for `row` in every column, at least doubling the capacity; false when a limit is exceeded or memory runs out. */
export function growColumns(row: u32): bool {
  if (raw != 0 && !growRows(changetype<Column>(raw), max(row + 1, rowCapacity * 2))) return false;
  return growAllRows(row + 1);
}

/** Bytes that the columns will have at `numRows` rows. */
export function sizeOfColumns(numRows: u32): f64 {
  let total: f64 = raw == 0 ? 0 : sizeAt(changetype<Column>(raw), numRows);
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    const column = changetype<Column>(address);
    total += column.steps == 0 ? sizeAt(column, numRows) : listSizeAt(column, numRows);
  }
  return total;
}

/** Completes every column of the batch, at `numRows` rows; false when memory runs out. */
export function finishColumns(numRows: u32): bool {
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    const column = changetype<Column>(address);
    if (column.firstRow == NEVER) continue;
    if (column.steps != 0 && !finishList(column, numRows)) return false;
    if (column.kind != 0 && !seek(column, numRows)) return false;
  }
  return raw == 0 || seek(changetype<Column>(raw), numRows);
}
