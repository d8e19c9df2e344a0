// Skips unrequested fields. Only their framing is checked.
import { fail } from "./failure";
import { MessagePlan } from "./message-plan";
import { OK, TAG, TRUNCATED, VARINT, WIRE_TYPE } from "./status";
import { CUT, readVarint, TOO_LONG } from "./varint";
import { lengthEnd, readLength, WIRE_FIXED32, WIRE_FIXED64, WIRE_LENGTH, WIRE_VARINT } from "./wire";

/** End of the last skipped field. */
export let skippedTo: usize = 0;

/** Skips the value at `p` of a field that is not a group. */
export function skipField(plan: MessagePlan, tag: u32, tagAt: usize, p: usize, limit: usize): u32 {
  if (tag >> 3 == 0) return fail(TAG, tagAt, plan);
  let next: usize = 0;
  switch (tag & 7) {
    case WIRE_VARINT:
      next = readVarint(p, limit);
      break;
    case WIRE_FIXED64:
      next = limit - p < 8 ? CUT : p + 8;
      break;
    case WIRE_FIXED32:
      next = limit - p < 4 ? CUT : p + 4;
      break;
    case WIRE_LENGTH:
      next = readLength(p, limit);
      if (next > TOO_LONG) next = lengthEnd;
      break;
    default:
      return fail(WIRE_TYPE, tagAt, plan);
  }
  if (next <= TOO_LONG) return fail(next == CUT ? TRUNCATED : VARINT, tagAt, plan);
  skippedTo = next;
  return OK;
}
