// tf.Examples into columns, one row each, the twin of src/kernels/record-decoder.ts. Entries in the form that
// serializers write go a short way; everything else that protobuf allows goes through entry.ts, which also finds out
// what is malformed.
import {
  Column,
  clear,
  commit,
  discard,
  discoverKind,
  DISCOVERED,
  IGNORED,
  keyOf,
  NEVER,
  seek,
  UNLISTED,
} from "./column";
import { addColumn, columnOf, firstColumn, startRecord } from "./column-table";
import { appendEntry, entryKind, keyEnd, keyStart, readEntry, readFeature } from "./entry";
import {
  fail,
  LONG,
  passField,
  passLengthTo,
  readLength,
  readTag,
  scanned,
  shortLength,
  shortSize,
} from "./scan";
import { APPENDED, appendBytesList, appendFloats, appendVarints, TOO_LARGE, UNUSUAL } from "./values";
import {
  BATCH_TOO_LARGE,
  DEPTH_EXAMPLE,
  DEPTH_FEATURES,
  MALFORMED_PAYLOAD,
  OK,
  TAG_1,
  TAG_2,
  TAG_3,
  UNLISTED_FEATURE,
  UNSET,
  WRONG_KIND,
} from "./wire-tags";

// What a name that no column has means: `UnlistedPolicy` of the host.
export const DROP: u32 = 0;
export const REFUSE: u32 = 1;
export const DISCOVER: u32 = 2;

let policy: u32 = DROP;
/** Names of the record at hand that do not fit so far; a later entry of the same name takes it back. */
let numMisfits: u32 = 0;
/** How often a column came into the batch: then it takes memory for the rows before as well. */
export let numSightings: u32 = 0;
/** After `WRONG_KIND` or `UNLISTED_FEATURE`: the column whose entry is the first that does not fit. */
export let misfit: usize = 0;

export function setPolicy(value: u32): void {
  policy = value;
}

/** Decodes the record from `start` to `end` into `row`. On any status but `OK` the row is unfinished. */
export function decodeRecord(start: usize, end: usize, row: u32): u32 {
  startRecord();
  numMisfits = 0;
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    if (p == 0) return MALFORMED_PAYLOAD;
    const tag = scanned;
    if (tag != TAG_1) {
      p = passField(tag, p, end, DEPTH_EXAMPLE);
      if (p == 0) return MALFORMED_PAYLOAD;
      continue;
    }
    p = readLength(p, end);
    if (p == 0) return MALFORMED_PAYLOAD;
    const featuresEnd = p + scanned;
    const status = decodeFeatures(p, featuresEnd, row);
    if (status != OK) return status;
    p = featuresEnd;
  }
  return numMisfits == 0 ? OK : firstMisfit();
}

function decodeFeatures(start: usize, end: usize, row: u32): u32 {
  let p = start;
  while (p < end) {
    let length = LONG;
    let size: u32 = 0;
    if (load<u8>(p) == TAG_1) {
      length = shortLength(p + 1);
      size = shortSize(length) + 1;
    }
    if (length + size > <u32>(end - p)) {
      p = readTag(p, end);
      if (p == 0) return MALFORMED_PAYLOAD;
      const tag = scanned;
      if (tag != TAG_1) {
        p = passField(tag, p, end, DEPTH_FEATURES);
        if (p == 0) return MALFORMED_PAYLOAD;
        continue;
      }
      p = readLength(p, end);
      if (p == 0) return MALFORMED_PAYLOAD;
      length = scanned;
      size = 0;
    }
    p += size;
    const entryEnd = p + length;
    const appended = numMisfits == 0 ? plainEntry(p, entryEnd, row) : UNUSUAL;
    if (appended == UNUSUAL) {
      const status = anyEntry(p, entryEnd, row);
      if (status != OK) return status;
    } else if (appended == TOO_LARGE) {
      fail(p);
      return BATCH_TOO_LARGE;
    }
    p = entryEnd;
  }
  return OK;
}

/** An entry of exactly one key and one value, which has exactly one list, packed if it is of numbers. */
function plainEntry(start: usize, end: usize, row: u32): u32 {
  const keyHead: u32 = load<u16>(start);
  const keyLength = keyHead >> 8;
  const key = start + 2;
  let p = key + keyLength;
  if ((keyHead & 0x80ff) != TAG_1 || <i32>(end - p) < 2 || load<u8>(p) != TAG_2) return UNUSUAL;
  p = passLengthTo(end, p + 1);
  if (p == 0) return UNUSUAL;
  const address = columnOf(key, keyLength);
  if (address == 0) {
    if (policy != DROP || !isAscii(key, keyLength)) return UNUSUAL;
    return readFeature(p, end) == 0 ? UNUSUAL : APPENDED;
  }
  const column = changetype<Column>(address);
  if (p == end) return column.firstRow == NEVER || column.row > row ? UNUSUAL : APPENDED;
  const tag: u32 = load<u8>(p);
  if (tag != column.listTag) {
    return column.role == IGNORED && readFeature(p, end) != 0 ? APPENDED : UNUSUAL;
  }
  p = passLengthTo(end, p + 1);
  if (p == 0) return UNUSUAL;
  if (column.row != row) {
    if (column.row > row) return UNUSUAL;
    if (!seek(column, row)) return TOO_LARGE;
  }
  let result = APPENDED;
  if (tag == TAG_1) {
    result = appendBytesList(column, p, end);
  } else if (p < end) {
    if (load<u8>(p) != TAG_1) return UNUSUAL;
    p = passLengthTo(end, p + 1);
    if (p == 0) return UNUSUAL;
    if (tag == TAG_3) result = appendVarints(column, p, end);
    else result = (end - p) % 4 == 0 ? appendFloats(column, p, end) : UNUSUAL;
  }
  if (result == APPENDED) commit(column);
  else discard(column);
  return result;
}

function isAscii(start: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i++) if (load<u8>(start + i) > 127) return false;
  return true;
}

function anyEntry(start: usize, end: usize, row: u32): u32 {
  if (!readEntry(start, end)) return MALFORMED_PAYLOAD;
  const kind = entryKind;
  const keyLength = <u32>(keyEnd - keyStart);
  let address = columnOf(keyStart, keyLength);
  if (address == 0) {
    if (policy == DROP || (policy == REFUSE && kind == UNSET)) return OK;
    address = addColumn(keyStart, keyLength, policy == REFUSE ? UNLISTED : DISCOVERED, UNSET);
    if (address == 0) {
      fail(start);
      return BATCH_TOO_LARGE;
    }
  }
  const column = changetype<Column>(address);
  if (column.role == IGNORED) return OK;
  // The last entry of a name counts, and it alone.
  if (column.misfitAt != 0) {
    column.misfitAt = 0;
    numMisfits--;
  }
  if (column.role == UNLISTED) {
    if (kind != UNSET) setMisfit(column, start, kind);
    return OK;
  }
  clear(column, row);
  if (column.firstRow == NEVER) {
    column.firstRow = row;
    numSightings++;
  }
  if (kind == UNSET) return OK;
  if (column.kind == UNSET && !discoverKind(column, kind, row)) {
    fail(start);
    return BATCH_TOO_LARGE;
  }
  if (column.kind != kind) {
    setMisfit(column, start, kind);
    return OK;
  }
  if (seek(column, row) && appendEntry(column, start, end) == APPENDED) {
    commit(column);
    return OK;
  }
  fail(start);
  return BATCH_TOO_LARGE;
}

function setMisfit(column: Column, at: usize, kind: u32): void {
  column.misfitAt = at;
  column.misfitKind = kind;
  numMisfits++;
}

/** Finds the misfit that lies first, and gives its status. */
function firstMisfit(): u32 {
  misfit = 0;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    const at = changetype<Column>(address).misfitAt;
    if (at != 0 && (misfit == 0 || at < changetype<Column>(misfit).misfitAt)) misfit = address;
  }
  return changetype<Column>(misfit).role == UNLISTED ? UNLISTED_FEATURE : WRONG_KIND;
}

/** Forgets the misfits of a record that is left out. */
export function dropMisfits(): void {
  if (numMisfits == 0) return;
  for (let address = firstColumn; address != 0; address = changetype<Column>(address).next) {
    changetype<Column>(address).misfitAt = 0;
  }
  numMisfits = 0;
}
