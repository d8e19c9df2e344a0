// Reads the most common kinds of fields in a loop without calls, so that V8 keeps the state of the loop in registers. All other
// fields are left to record.as, which reads them again from their tag. So no part of such a field may be stored here.
//
// Most writers put the fields of a message in the same order each time, so the action for a field remembers which action followed
// it. A single comparison with `plainTag`, which the host wrote into the plan, then replaces the lookup and several checks of the
// field.
import { Column } from "./column";
import { BYTES, FIXED32, FIXED64 } from "./encoding";
import { FieldAction, MessagePlan } from "./message-plan";
import { storeVarint } from "./values";
import { CONTINUES, joined } from "./varint";

/** Tags and lengths of one byte are below this. */
const LONG: u32 = 0x80;
/** Number of bytes of a string that are copied in one step. */
const STEP: usize = 32;

/**
 * Appends fields of the message `item` from `start` on. Returns the end, or the address of the first field that it leaves to
 * record.as. It leaves fields with a long tag or length, varints of more than eight bytes, packed fields with no value or several
 * values, further values of a singular field, messages, groups, members of a oneof, unknown and damaged fields, and fields whose
 * column must grow.
 */
export function readPlainFields(plan: MessagePlan, item: u32, start: usize, limit: usize): usize {
  const dense = plan.dense;
  const denseTags = min<u32>(plan.denseTags, LONG);
  if (denseTags == 0) return start;
  let p = start;
  /** Address of the word that remembers the next action. */
  let link = changetype<usize>(plan) + offsetof<MessagePlan>("first");
  while (p < limit) {
    let action = changetype<FieldAction>(<usize>load<u32>(link));
    const tag = <u32>load<u8>(p);
    if (action.plainTag != tag) {
      if (tag >= denseTags) break;
      const address = <usize>load<u32>(dense + (<usize>tag << 2));
      if (address == 0) break;
      action = changetype<FieldAction>(address);
      if (action.plainTag != tag) break;
      store<u32>(link, <u32>address);
    }

    const column = changetype<Column>(action.column);
    const at = column.numItems;
    let last = column.lastParent;
    if (at >= column.capacity) break;
    if (last == <i32>item) {
      if (!column.isRepeated) break;
    } else if (item >= column.startsLength) break;

    const encoding = action.encoding;
    const from = p + action.headBytes;
    let end: usize;
    if (encoding == BYTES) {
      const length = <u32>load<u8>(p, 1);
      end = from + length;
      if (length >= LONG || end > limit) break;
      const offset = column.words + (<usize>at << 2);
      const first = load<u32>(offset);
      // Even an empty string needs a block to write to, since at least one step is copied.
      if (first + length >= column.dataLength) break;
      store<u32>(offset, first + length, 4);
      const target = column.data + first;
      for (let copied: usize = 0; ; ) {
        v128.store(target + copied, v128.load(from + copied));
        v128.store(target + copied, v128.load(from + copied, 16), 16);
        copied += STEP;
        if (copied >= <usize>length) break;
      }
    } else {
      const isPacked = action.headBytes != 1;
      if (encoding < FIXED32) {
        const word = load<u64>(from);
        const ends = ~word & CONTINUES;
        if (ends == 0) break;
        const numBits = ctz(ends) + 1;
        end = from + <usize>(numBits >> 3);
        if (end > limit) break;
        // The varint must end where the packed field ends.
        if (isPacked && <usize>load<u8>(p, 1) != end - from) break;
        storeVarint(encoding, column.words, at, joined(word & (<u64>-1 >> (64 - numBits))));
      } else {
        const shift: usize = encoding == FIXED64 ? 3 : 2;
        end = from + ((<usize>1) << shift);
        if (end > limit) break;
        if (isPacked && <usize>load<u8>(p, 1) != end - from) break;
        if (shift == 3) store<u64>(column.words + (<usize>at << 3), load<u64>(from));
        else store<u32>(column.words + (<usize>at << 2), load<u32>(from));
      }
    }

    column.numItems = at + 1;
    if (last != <i32>item) {
      const starts = column.starts;
      // The parents between `last` and `item` have no items.
      do {
        last++;
        store<u32>(starts + (<usize>last << 2), at);
      } while (last < <i32>item);
      column.lastParent = <i32>item;
    }
    p = end;
    link = changetype<usize>(action) + offsetof<FieldAction>("next");
  }
  return p;
}
