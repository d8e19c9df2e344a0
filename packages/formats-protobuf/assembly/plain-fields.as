// The fields that most messages consist of, in a loop without calls: V8 then keeps its state in registers. What needs more than
// this loop has is left to record.as: it begins again at the tag of that field, so nothing of it may be stored here.
import { Column, NO_ITEM } from "./column";
import { FIXED32, FIXED64 } from "./encoding";
import { copyText } from "./memory";
import { FieldAction, MessagePlan, READ_GROUP, READ_MESSAGE, STORE_BYTES, STORE_PACKED } from "./message-plan";
import { storeVarint } from "./values";
import { CONTINUES, joined } from "./varint";

/** Tags and lengths of one byte are below this. */
const LONG: u32 = 0x80;

/**
 * Appends fields of the message `item` from `start` on, and returns the address of the first one that it leaves: one with a long
 * tag or a long length, a message, a group, a member of a oneof, an unknown or damaged field, or one whose column must grow.
 */
export function readPlainFields(plan: MessagePlan, item: u32, start: usize, limit: usize): usize {
  const dense = plan.dense;
  const denseTags = min<u32>(plan.denseTags, LONG);
  let p = start;
  while (p < limit) {
    const tag = <u32>load<u8>(p);
    if (tag >= denseTags) break;
    const address = <usize>load<u32>(dense + (<usize>tag << 2));
    if (address == 0) break;
    const action = changetype<FieldAction>(address);
    const operation = action.operation;
    if (operation == READ_MESSAGE || operation == READ_GROUP) break;
    if (action.column == 0 || action.numCleared != 0) break;
    const column = changetype<Column>(action.column);
    const at = roomAt(column, item);
    if (at == NO_ITEM) break;

    let from = p + 1;
    let end = from;
    let encoding = operation;
    if (operation >= STORE_BYTES) {
      const length = <u32>load<u8>(from);
      from++;
      if (length >= LONG || <i32>length > <i32>(limit - from)) break;
      end = from + length;
      if (operation == STORE_BYTES) {
        const offset = column.words + (<usize>at << 2);
        const first = load<u32>(offset);
        if (<u64>first + length > column.dataLength) break;
        store<u32>(offset, first + length, 4);
        if (length > 0) copyText(column.data + first, from, length);
        append(column, item, at);
        p = end;
        continue;
      }
      encoding = operation - STORE_PACKED;
    }
    if (encoding < FIXED32) {
      const word = load<u64>(from);
      const ends = ~word & CONTINUES;
      if (ends == 0) break;
      const numBits = ctz(ends) + 1;
      const next = from + <usize>(numBits >> 3);
      // Packed varints end where their field does.
      if (operation == encoding ? next > limit : next != end) break;
      storeVarint(encoding, column.words, at, joined(word & (<u64>-1 >> (64 - numBits))));
      end = next;
    } else if (encoding == FIXED64) {
      if (operation == encoding ? limit - from < 8 : end - from != 8) break;
      store<u64>(column.words + (<usize>at << 3), load<u64>(from));
      end = from + 8;
    } else {
      if (operation == encoding ? limit - from < 4 : end - from != 4) break;
      store<u32>(column.words + (<usize>at << 2), load<u32>(from));
      end = from + 4;
    }
    append(column, item, at);
    p = end;
  }
  return p;
}

/** Where the next value of `parent` belongs if there is room for it, and for its list; else {@link NO_ITEM}. */
// @ts-ignore: decorator
@inline
function roomAt(column: Column, parent: u32): u32 {
  const numItems = column.numItems;
  if (numItems >= column.capacity) return NO_ITEM;
  if (column.lastParent == <i32>parent) return column.isRepeated ? numItems : NO_ITEM;
  return parent < column.startsLength ? numItems : NO_ITEM;
}

/** Makes the value at `numItems` an item of `parent`. */
// @ts-ignore: decorator
@inline
function append(column: Column, parent: u32, numItems: u32): void {
  column.numItems = numItems + 1;
  let last = column.lastParent;
  if (last == <i32>parent) return;
  const starts = column.starts;
  do {
    last++;
    store<u32>(starts + (<usize>last << 2), numItems);
  } while (last < <i32>parent);
  column.lastParent = <i32>parent;
}
