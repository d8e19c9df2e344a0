// Decodes `tensorflow.FeatureLists` into columns, like src/kernels/typescript/feature-list-values.ts. Lists in
// the form that serializers write take the fast path. Everything else that protobuf allows goes through entry.as, as for
// features.
import { Column, IGNORED, LIST_NAME, NEVER } from "./column";
import { discoverKind } from "./column-kind";
import { commit, seek } from "./column-rows";
import { columnOf } from "./column-table";
import {
  appendFeature,
  entryKind,
  keyEnd,
  keyStart,
  readEntry,
  readFeatureList,
  readStep,
} from "./entry";
import { columnFor, CROWDED, DROP, NO_MEMORY } from "./entry-column";
import { addMismatch, numMismatches } from "./mismatches";
import { appendPlainSteps } from "./plain-steps";
import { fail, isAscii, passField, passLengthTo, readLength, readTag, scanned } from "./scan";
import { discardSteps, MAX_STEPS, reserveStep, stepsOf } from "./steps";
import { APPENDED, TOO_LARGE, UNUSUAL } from "./values";
import {
  BATCH_TOO_LARGE,
  DEPTH_ENTRY,
  DEPTH_FEATURE,
  DEPTH_FEATURES,
  MALFORMED_PAYLOAD,
  OK,
  TAG_1,
  TAG_2,
  TOO_MANY_COLUMNS,
  UNSET,
} from "./wire-tags";

/** Result of appending steps if the kind of a step differs from that of the column. */
const MISMATCH: u32 = 3;

let policy: u32 = DROP;

export function setListPolicy(value: u32): void {
  policy = value;
}

/** Decodes one `FeatureLists` of a record into `row`. If a record has several, they merge. */
export function decodeFeatureLists(start: usize, end: usize, row: u32): u32 {
  let p = start;
  while (p < end) {
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
    const entryEnd = p + scanned;
    const appended = numMismatches == 0 ? plainList(p, entryEnd, row) : UNUSUAL;
    if (appended == UNUSUAL) {
      const status = anyList(p, entryEnd, row);
      if (status != OK) return status;
    } else if (appended == TOO_LARGE) {
      fail(p);
      return BATCH_TOO_LARGE;
    }
    p = entryEnd;
  }
  return OK;
}

/** Decodes an entry with exactly one key and one value. */
function plainList(start: usize, end: usize, row: u32): u32 {
  const keyHead: u32 = load<u16>(start);
  const keyLength = keyHead >> 8;
  const key = start + 2;
  let p = key + keyLength;
  if ((keyHead & 0x80ff) != TAG_1 || <i32>(end - p) < 2 || load<u8>(p) != TAG_2) return UNUSUAL;
  p = passLengthTo(end, p + 1);
  if (p == 0) return UNUSUAL;
  const address = columnOf(key, keyLength | LIST_NAME);
  if (address == 0 && (policy != DROP || !isAscii(key, keyLength))) return UNUSUAL;
  if (address == 0 || changetype<Column>(address).role == IGNORED) {
    return readFeatureList(p, end) == 0 ? UNUSUAL : APPENDED;
  }
  const column = changetype<Column>(address);
  if (column.firstRow == NEVER || column.row > row) return UNUSUAL;
  if (!seek(column, row)) return TOO_LARGE;
  const result = appendPlainSteps(column, p, end);
  if (result == APPENDED) commit(column);
  else discardSteps(column);
  return result;
}

function anyList(start: usize, end: usize, row: u32): u32 {
  if (!readEntry(start, end, true)) return MALFORMED_PAYLOAD;
  const length = <u32>(keyEnd - keyStart) | LIST_NAME;
  const address = columnFor(keyStart, length, policy, entryKind, start, row);
  if (address == 0) return OK;
  if (address == CROWDED) {
    fail(start);
    return TOO_MANY_COLUMNS;
  }
  if (address != NO_MEMORY) {
    const column = changetype<Column>(address);
    const result = seek(column, row) ? appendLists(column, start, end) : TOO_LARGE;
    if (result == APPENDED) {
      commit(column);
      return OK;
    }
    discardSteps(column);
    if (result == MISMATCH) return OK;
  }
  fail(start);
  return BATCH_TOO_LARGE;
}

/** Appends the steps of all values in the entry that `readEntry` has read. Without steps, the row is an empty list, not null. */
function appendLists(column: Column, start: usize, end: usize): u32 {
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    const tag = scanned;
    if (tag != TAG_2) {
      p = passField(tag, p, end, DEPTH_ENTRY);
      continue;
    }
    p = readLength(p, end);
    const fieldEnd = p + scanned;
    const result = appendSteps(column, p, fieldEnd, start);
    if (result != APPENDED) return result;
    p = fieldEnd;
  }
  return APPENDED;
}

/** Appends the steps of a whole `tensorflow.FeatureList`. */
function appendSteps(column: Column, start: usize, end: usize, entry: usize): u32 {
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    const tag = scanned;
    if (tag != TAG_1) {
      p = passField(tag, p, end, DEPTH_FEATURE);
      continue;
    }
    p = readLength(p, end);
    const stepEnd = p + scanned;
    const result = appendStep(column, p, stepEnd, entry);
    if (result != APPENDED) return result;
    p = stepEnd;
  }
  return column.numValues > MAX_STEPS ? TOO_LARGE : APPENDED;
}

function appendStep(column: Column, start: usize, end: usize, entry: usize): u32 {
  readStep(start, end);
  const kind = entryKind;
  const steps = stepsOf(column);
  const step = column.numValues++;
  if (kind == UNSET) return APPENDED;
  if (!reserveStep(steps, step)) return TOO_LARGE;
  if (steps.kind == UNSET && !discoverKind(steps, kind, step)) return TOO_LARGE;
  if (steps.kind != kind) {
    addMismatch(column, entry, kind);
    // Save the column's kind, since a kind found in this list will be undone.
    steps.mismatchKind = steps.kind;
    return MISMATCH;
  }
  if (!seek(steps, step)) return TOO_LARGE;
  const result = appendFeature(steps, start, end);
  if (result == APPENDED) commit(steps);
  return result;
}
