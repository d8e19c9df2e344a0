// Reads one entry of `Features.feature`, or of `FeatureLists.feature_list`, in every form that protobuf allows: fields in
// any order, repeated, unknown, packed or not. The first of two passes checks everything, so nothing is appended from a
// malformed entry.
import { Column } from "./column";
import { fail, passField, passUtf8, passVarints, readLength, readTag, scanned } from "./scan";
import { appendBytes, APPENDED, appendFloats } from "./values";
import { appendVarints } from "./varints";
import {
  BYTES,
  DEPTH_ENTRY,
  DEPTH_FEATURE,
  DEPTH_LIST,
  DEPTH_STEP,
  FLOAT,
  INT64,
  isValueTag,
  kindOfTag,
  TAG_1,
  TAG_2,
  UNSET,
} from "./wire-tags";

/** Bounds of the name; empty if the entry has no key. */
export let keyStart: usize = 0;
export let keyEnd: usize = 0;
/**
 * The feature's kind after merging; `UNSET` without a list of values. For a feature list: the kind of the first step that has
 * one.
 */
export let entryKind: u32 = 0;
/** Position of the first list that counts for the feature. A list of another kind discards the lists before it. */
let firstList: usize = 0;

/** Checks a whole entry. False if it is malformed, at `errorAt`. @param isList True for an entry of `FeatureLists`. */
export function readEntry(start: usize, end: usize, isList: bool): bool {
  keyStart = start;
  keyEnd = start;
  entryKind = UNSET;
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    if (p == 0) return false;
    const tag = scanned;
    if (tag != TAG_1 && tag != TAG_2) {
      p = passField(tag, p, end, DEPTH_ENTRY);
      if (p == 0) return false;
      continue;
    }
    p = readLength(p, end);
    if (p == 0) return false;
    const fieldEnd = p + scanned;
    if ((tag == TAG_1 ? passUtf8(p, fieldEnd) : readValue(p, fieldEnd, isList)) == 0) return false;
    if (tag == TAG_1) {
      keyStart = p;
      keyEnd = fieldEnd;
    }
    p = fieldEnd;
  }
  return true;
}

function readValue(start: usize, end: usize, isList: bool): usize {
  return isList ? readFeatureList(start, end) : readFeature(start, end, DEPTH_FEATURE);
}

/** Checks a whole `tensorflow.FeatureList`, which continues the steps of earlier ones in the entry. Returns 0 if malformed. */
export function readFeatureList(start: usize, end: usize): usize {
  let listKind = entryKind;
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    if (p == 0) return 0;
    const tag = scanned;
    if (tag != TAG_1) {
      p = passField(tag, p, end, DEPTH_FEATURE);
    } else {
      p = readLength(p, end);
      if (p == 0) return 0;
      p = readStep(p, p + scanned);
      if (listKind == UNSET) listKind = entryKind;
    }
    if (p == 0) return 0;
  }
  entryKind = listKind;
  return p;
}

/** Checks the `tensorflow.Feature` of a step, which merges with no other. Sets `entryKind`. Returns 0 if malformed. */
export function readStep(start: usize, end: usize): usize {
  entryKind = UNSET;
  return readFeature(start, end, DEPTH_STEP);
}

/**
 * Checks a whole `tensorflow.Feature`, which merges with earlier ones in the entry. Returns 0 if malformed.
 * @param depth Number of further levels that may be nested in it.
 */
export function readFeature(start: usize, end: usize, depth: u32): usize {
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    if (p == 0) return 0;
    const tag = scanned;
    const kind = kindOfTag(tag);
    if (kind == UNSET) {
      p = passField(tag, p, end, depth);
      if (p == 0) return 0;
      continue;
    }
    p = readLength(p, end);
    if (p == 0) return 0;
    const fieldEnd = p + scanned;
    if (kind != entryKind) firstList = p;
    entryKind = kind;
    p = checkList(kind, p, fieldEnd, depth - 1);
    if (p == 0) return 0;
  }
  return p;
}

function checkList(kind: u32, start: usize, end: usize, depth: u32): usize {
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    if (p == 0) return 0;
    const tag = scanned;
    if (tag != TAG_1 || kind == BYTES) {
      p = passField(tag, p, end, depth);
    } else {
      const at = p;
      p = readLength(p, end);
      if (p == 0) return 0;
      const length = scanned;
      if (kind == INT64) p = passVarints(p, p + length);
      else p = length % 4 == 0 ? p + length : fail(at);
    }
    if (p == 0) return 0;
  }
  return p;
}

/** Appends the values of the entry that `readEntry` has read. */
export function appendEntry(column: Column, start: usize, end: usize): u32 {
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
    const result = appendFeature(column, p, fieldEnd);
    if (result != APPENDED) return result;
    p = fieldEnd;
  }
  return APPENDED;
}

/** Appends the values of a feature after it has been checked. */
export function appendFeature(column: Column, start: usize, end: usize): u32 {
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    const tag = scanned;
    if (kindOfTag(tag) == UNSET) {
      p = passField(tag, p, end, DEPTH_FEATURE);
      continue;
    }
    p = readLength(p, end);
    const fieldEnd = p + scanned;
    if (p >= firstList) {
      const result = appendList(column, p, fieldEnd);
      if (result != APPENDED) return result;
    }
    p = fieldEnd;
  }
  return APPENDED;
}

function appendList(column: Column, start: usize, end: usize): u32 {
  const kind = column.kind;
  let p = start;
  while (p < end) {
    p = readTag(p, end);
    const tag = scanned;
    let valueStart = p;
    if (tag == TAG_1) {
      p = readLength(p, end);
      valueStart = p;
      p += scanned;
    } else {
      p = passField(tag, p, end, DEPTH_LIST);
    }
    if (!isValueTag(kind, tag)) continue;
    const result =
      kind == BYTES
        ? appendBytes(column, valueStart, p)
        : kind == FLOAT
          ? appendFloats(column, valueStart, p)
          : appendVarints(column, valueStart, p);
    if (result != APPENDED) return result;
  }
  return APPENDED;
}
