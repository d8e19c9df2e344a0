// Decodes tf.Examples and tf.SequenceExamples into rows, like src/kernels/typescript/record-decoder.ts.
// Entries in the form that serializers write take the fast path. Everything else that protobuf allows goes through
// entry.as, which also detects malformed entries.
import { Column, IGNORED, NEVER } from "./column";
import { discoverKind } from "./column-kind";
import { commit, discard, seek } from "./column-rows";
import { columnOf, startRecord } from "./column-table";
import { appendEntry, entryKind, keyEnd, keyStart, readEntry, readFeature } from "./entry";
import { columnFor, CROWDED, DROP, NO_MEMORY } from "./entry-column";
import { decodeFeatureLists } from "./feature-list";
import { gapped, passKnown, rememberHead } from "./head";
import { addMismatch, numMismatches, startMismatches, statusOfMismatches } from "./mismatches";
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
import { APPENDED, appendBytes, appendBytesList, appendFloats, TOO_LARGE, UNUSUAL } from "./values";
import { appendVarints } from "./varints";
import {
  BATCH_TOO_LARGE,
  DEPTH_EXAMPLE,
  DEPTH_FEATURE,
  DEPTH_FEATURES,
  FEATURE_LISTS,
  MALFORMED_PAYLOAD,
  OK,
  TAG_1,
  TAG_2,
  TAG_3,
  TOO_MANY_COLUMNS,
  UNSET,
} from "./wire-tags";

let policy: u32 = DROP;
/** True if records are SequenceExamples. In an Example, field 2 is unknown. */
let hasLists: bool = false;
/** True if a record with a field 2 is rejected, since it is a SequenceExample and not an Example. */
let rejectsLists: bool = false;
/** First row in the batch whose record has a `FeatureLists`, even an empty one; `NEVER` if there is none. */
export let firstListsRow: u32 = NEVER;

export function startRecords(unlistedPolicy: u32, areSequences: bool, mustBeExamples: bool): void {
  policy = unlistedPolicy;
  hasLists = areSequences;
  rejectsLists = mustBeExamples;
  firstListsRow = NEVER;
}

/** Forgets that `row` had a `FeatureLists`. */
export function forgetLists(row: u32): void {
  if (firstListsRow == row) firstListsRow = NEVER;
}

/** Decodes the record from `start` to `end` into `row`. On any status other than `OK`, the row is unfinished. */
export function decodeRecord(start: usize, end: usize, row: u32): u32 {
  startRecord();
  startMismatches();
  // Position of a field 2 that must not occur. It is reported only if the whole record is well-formed.
  let listsAt: usize = 0;
  let p = start;
  while (p < end) {
    const at = p;
    p = readTag(p, end);
    if (p == 0) return MALFORMED_PAYLOAD;
    const tag = scanned;
    if (tag != TAG_1 && (tag != TAG_2 || !hasLists)) {
      if (tag == TAG_2 && rejectsLists) listsAt = at;
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
  if (listsAt != 0) {
    fail(listsAt);
    return FEATURE_LISTS;
  }
  return statusOfMismatches();
}

/**
 * After a record in which no head (see head.as) was known, this many records are decoded without trying heads, since values
 * seem to vary in length.
 */
const PAUSE: u32 = 7;
let pause: u32 = 0;

function decodeFeatures(start: usize, end: usize, row: u32): u32 {
  const triesHeads = pause == 0;
  let isAnyKnown = false;
  let p = start;
  while (p < end) {
    if (triesHeads && numMismatches == 0) {
      const from = p;
      p = passKnown(p, end, row);
      if (p != from) isAnyKnown = true;
      if (p == end) break;
      if (gapped != 0) {
        if (seek(changetype<Column>(gapped), row)) continue;
        fail(p);
        return BATCH_TOO_LARGE;
      }
    }
    p = decodeEntry(p, end, row);
    if (p == 0) return entryStatus;
  }
  if (!triesHeads) pause--;
  else if (!isAnyKnown) pause = PAUSE;
  return OK;
}

/** Status of the last failed `decodeEntry`. */
let entryStatus: u32 = 0;

/** Decodes the field at `at`, which is most probably an entry. Returns the position after it, or 0 with `entryStatus` set. */
function decodeEntry(at: usize, end: usize, row: u32): usize {
  let p = at;
  let length = LONG;
  let size: u32 = 0;
  if (load<u8>(p) == TAG_1) {
    length = shortLength(p + 1);
    size = shortSize(length) + 1;
  }
  if (length + size > <u32>(end - p)) {
    entryStatus = MALFORMED_PAYLOAD;
    p = readTag(p, end);
    if (p == 0) return 0;
    const tag = scanned;
    if (tag != TAG_1) return passField(tag, p, end, DEPTH_FEATURES);
    p = readLength(p, end);
    if (p == 0) return 0;
    length = scanned;
    size = 0;
  }
  p += size;
  const entryEnd = p + length;
  const appended = numMismatches == 0 ? plainEntry(at, p, entryEnd, row) : UNUSUAL;
  if (appended == UNUSUAL) {
    entryStatus = anyEntry(p, entryEnd, row);
    if (entryStatus != OK) return 0;
  } else if (appended == TOO_LARGE) {
    entryStatus = BATCH_TOO_LARGE;
    return fail(p);
  }
  return entryEnd;
}

/**
 * Decodes an entry with exactly one key and one value. The value has at most one list, which is packed if it holds numbers.
 * The tag and the length of the entry are at `at`.
 */
function plainEntry(at: usize, start: usize, end: usize, row: u32): u32 {
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
  // Start of the only byte string, or of the first number.
  const value = p < end && load<u8>(p) == TAG_1 ? passLengthTo(end, p + 1) : 0;
  if (tag == TAG_1) {
    result = value == 0 ? appendBytesList(column, p, end) : appendBytes(column, value, end);
  } else if (p < end) {
    if (value == 0) return UNUSUAL;
    if (tag == TAG_3) result = appendVarints(column, value, end);
    else result = (end - value) % 4 == 0 ? appendFloats(column, value, end) : UNUSUAL;
  }
  if (result != APPENDED) {
    discard(column);
    return result;
  }
  commit(column);
  if (value != 0 && (value < end || tag == TAG_1)) rememberHead(column, at, value, end);
  return APPENDED;
}

function anyEntry(start: usize, end: usize, row: u32): u32 {
  if (!readEntry(start, end, false)) return MALFORMED_PAYLOAD;
  const kind = entryKind;
  const address = columnFor(keyStart, <u32>(keyEnd - keyStart), policy, kind, start, row);
  if (address == 0) return OK;
  if (address == CROWDED) {
    fail(start);
    return TOO_MANY_COLUMNS;
  }
  if (address != NO_MEMORY) {
    if (kind == UNSET) return OK;
    const column = changetype<Column>(address);
    if (column.kind != UNSET || discoverKind(column, kind, row)) {
      if (column.kind != kind) {
        addMismatch(column, start, kind);
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
