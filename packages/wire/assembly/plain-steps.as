// Reads the steps of a feature list in the form that serializers write. Each step is empty, or has exactly one list of the
// column's kind. A list of numbers is packed.
import { Column } from "./column";
import { commit, seek } from "./column-rows";
import { LONG, passLengthTo, readLength, scanned, shortLength, shortSize } from "./scan";
import { MAX_STEPS, reserveStep, stepsOf } from "./steps";
import { APPENDED, appendBytesList, appendFloats, TOO_LARGE, UNUSUAL } from "./values";
import { appendVarints } from "./varints";
import { TAG_1, TAG_3 } from "./wire-tags";

/**
 * Appends all steps to the row that `seek` has reached. On any result other than `APPENDED`, some of them may have been appended.
 */
export function appendPlainSteps(column: Column, start: usize, end: usize): u32 {
  const steps = stepsOf(column);
  let step = column.numValues;
  let p = start;
  while (p < end) {
    if (load<u8>(p++) != TAG_1) return UNUSUAL;
    let length = shortLength(p);
    if (length == LONG) {
      p = readLength(p, end);
      if (p == 0) return UNUSUAL;
      length = scanned;
    } else {
      const size = shortSize(length);
      if (length + size > <u32>(end - p)) return UNUSUAL;
      p += size;
    }
    if (length > 0) {
      const result = appendPlainStep(steps, p, p + length, step);
      if (result != APPENDED) return result;
    }
    p += length;
    step++;
  }
  column.numValues = step;
  return step > MAX_STEPS ? TOO_LARGE : APPENDED;
}

/** Like `passLengthTo`, but faster if the length takes two bytes. A step of a few dozen floats has three such lengths. */
// @ts-ignore: decorator
@inline
function passLengthToEnd(p: usize, end: usize): usize {
  const length = shortLength(p);
  const size = shortSize(length);
  return length + size == <u32>(end - p) ? p + size : passLengthTo(end, p);
}

// @ts-ignore: decorator
@inline
function appendPlainStep(steps: Column, start: usize, end: usize, step: u32): u32 {
  const tag: u32 = load<u8>(start);
  if (tag != steps.listTag) return UNUSUAL;
  let p = passLengthToEnd(start + 1, end);
  if (p == 0) return UNUSUAL;
  if (step >= steps.rowCapacity && !reserveStep(steps, step)) return TOO_LARGE;
  if (steps.row != step && !seek(steps, step)) return TOO_LARGE;
  let result = APPENDED;
  if (tag == TAG_1) {
    result = appendBytesList(steps, p, end);
  } else if (p < end) {
    if (load<u8>(p) != TAG_1) return UNUSUAL;
    p = passLengthToEnd(p + 1, end);
    if (p == 0) return UNUSUAL;
    if (tag == TAG_3) result = appendVarints(steps, p, end);
    else result = (end - p) % 4 == 0 ? appendFloats(steps, p, end) : UNUSUAL;
  }
  if (result == APPENDED) commit(steps);
  return result;
}
