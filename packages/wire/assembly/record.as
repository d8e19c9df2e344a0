// tf.Examples and tf.SequenceExamples into columns, one row each, the twin of src/kernels/record-decoder.ts. Entries in
// the form that serializers write go a short way; everything else that protobuf allows goes through entry.ts, which
// also finds out what is malformed.
import { Column, commit, discard, discoverKind, IGNORED, NEVER, seek } from "./column";
import { columnOf, startRecord } from "./column-table";
import { appendEntry, entryKind, keyEnd, keyStart, readEntry, readFeature } from "./entry";
import { columnFor, DROP, REFUSED } from "./entry-column";
import { decodeFeatureLists } from "./feature-list";
import { addMisfit, numMisfits, startMisfits, statusOfMisfits } from "./misfits";
import {
  fail,
  isAscii,
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
  DEPTH_FEATURE,
  DEPTH_FEATURES,
  MALFORMED_PAYLOAD,
  OK,
  TAG_1,
  TAG_2,
  TAG_3,
  UNSET,
} from "./wire-tags";

let policy: u32 = DROP;
/** Whether records are SequenceExamples; to an Example, field 2 is unknown. */
let hasLists: bool = false;
/** Row that first had a `FeatureLists` in the batch, be it empty; `NEVER` while none did. */
export let firstListsRow: u32 = NEVER;

export function startRecords(unlistedPolicy: u32, areSequences: bool): void {
  policy = unlistedPolicy;
  hasLists = areSequences;
  firstListsRow = NEVER;
}

/** Takes back that `row` had a `FeatureLists`. */
export function forgetLists(row: u32): void {
  if (firstListsRow == row) firstListsRow = NEVER;
}

/** Decodes the record from `start` to `end` into `row`. On any status but `OK` the row is unfinished. */
export function decodeRecord(start: usize, end: usize, row: u32): u32 {
  startRecord();
  startMisfits();
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    if (p == 0) return MALFORMED_PAYLOAD;
    const tag = scanned;
    if (tag != TAG_1 && (tag != TAG_2 || !hasLists)) {
      p = passField(tag, p, end, DEPTH_EXAMPLE);
      if (p == 0) return MALFORMED_PAYLOAD;
      continue;
    }
    p = readLength(p, end);
    if (p == 0) return MALFORMED_PAYLOAD;
    const messageEnd = p + scanned;
    if (tag == TAG_2 && firstListsRow == NEVER) firstListsRow = row;
    const status = tag == TAG_1 ? decodeFeatures(p, messageEnd, row) : decodeFeatureLists(p, messageEnd, row);
    if (status != OK) return status;
    p = messageEnd;
  }
  return statusOfMisfits();
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
    return readFeature(p, end, DEPTH_FEATURE) == 0 ? UNUSUAL : APPENDED;
  }
  const column = changetype<Column>(address);
  if (p == end) return column.firstRow == NEVER || column.row > row ? UNUSUAL : APPENDED;
  const tag: u32 = load<u8>(p);
  if (tag != column.listTag) {
    return column.role == IGNORED && readFeature(p, end, DEPTH_FEATURE) != 0 ? APPENDED : UNUSUAL;
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

function anyEntry(start: usize, end: usize, row: u32): u32 {
  if (!readEntry(start, end, false)) return MALFORMED_PAYLOAD;
  const kind = entryKind;
  const address = columnFor(keyStart, <u32>(keyEnd - keyStart), policy, kind, start, row);
  if (address == 0) return OK;
  if (address != REFUSED) {
    if (kind == UNSET) return OK;
    const column = changetype<Column>(address);
    if (column.kind != UNSET || discoverKind(column, kind, row)) {
      if (column.kind != kind) {
        addMisfit(column, start, kind);
        return OK;
      }
      if (seek(column, row) && appendEntry(column, start, end) == APPENDED) {
        commit(column);
        return OK;
      }
    }
  }
  fail(start);
  return BATCH_TOO_LARGE;
}
