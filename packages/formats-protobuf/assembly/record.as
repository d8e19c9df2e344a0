// Decodes a record into columns in one pass over its bytes, without recursion, like src/kernels/typescript/message-decoder.ts.
import { Column, itemOf, NO_ITEM, setBytes, setDefault, truncate } from "./column";
import { fail } from "./failure";
import { FRAME_BYTES, FRAME_GROUP, FRAME_ITEM, FRAME_LIMIT, firstFrame, lastFrame } from "./frames";
import {
  ENTRY,
  FieldAction,
  findSparse,
  MessagePlan,
  READ_GROUP,
  READ_MESSAGE,
  STORE_BYTES,
  STORE_FIXED32,
  STORE_FIXED64,
  STORE_PACKED,
} from "./message-plan";
import { FIXED32 } from "./encoding";
import { readPlainFields } from "./plain-fields";
import { skipField, skippedTo } from "./skip-field";
import { BATCH_TOO_LARGE, DEPTH, GROUP, OK, TAG, TRUNCATED, VARINT } from "./status";
import { storePackedFixed, storePackedVarints, storeVarint } from "./values";
import { CUT, readVarint, TOO_LONG, value } from "./varint";
import { lengthEnd, longTag, readLength, readTag, WIRE_END_GROUP, WIRE_START_GROUP } from "./wire";

/** Plan of unrequested groups: only their framing is checked. */
const SKIPPED: usize = memory.data(offsetof<MessagePlan>());

/** Reads the record from `start` to `end` into row `row`. If the record is damaged, the caller drops what was appended. */
export function readRecord(root: MessagePlan, row: u32, start: usize, end: usize): u32 {
  let plan = root;
  let dense = plan.dense;
  let denseTags = plan.denseTags;
  let item = row;
  let limit = end;
  let group: u32 = 0;
  let frame = firstFrame;
  let p = start;
  while (true) {
    p = readPlainFields(plan, item, p, limit);
    const tagAt = p;
    /** Plan of the message that begins now, or 0. */
    let inner: usize = 0;
    let innerItem: u32 = 0;
    let innerLimit = limit;
    let innerGroup: u32 = 0;
    let isEnd = p >= limit;
    if (!isEnd) {
      let tag = <u32>load<u8>(p);
      p++;
      if (tag >= 0x80) {
        p = readTag(tagAt, limit);
        if (p <= TOO_LONG) return fail(p == CUT ? TRUNCATED : TAG, tagAt, plan);
        tag = longTag;
      }
      const address = tag < denseTags ? <usize>load<u32>(dense + (<usize>tag << 2)) : findSparse(plan, tag);
      if (address == 0) {
        const wireType = tag & 7;
        if (wireType == WIRE_START_GROUP && tag >> 3 != 0) {
          inner = SKIPPED;
          innerGroup = tag >> 3;
        } else if (wireType == WIRE_END_GROUP && tag >> 3 != 0) {
          if (tag >> 3 != group) return fail(GROUP, tagAt, plan);
          isEnd = true;
        } else {
          const skipped = skipField(plan, tag, tagAt, p, limit);
          if (skipped != OK) return skipped;
          p = skippedTo;
          continue;
        }
      } else {
        const action = changetype<FieldAction>(address);
        const operation = action.operation;
        const column = changetype<Column>(action.column);
        if (operation < STORE_FIXED32) {
          let bits = <u64>load<u8>(p);
          if (bits < 0x80 && p < limit) p++;
          else {
            p = readVarint(p, limit);
            if (p <= TOO_LONG) return fail(p == CUT ? TRUNCATED : VARINT, tagAt, plan);
            bits = value;
          }
          if (action.numCleared != 0) clear(action, item);
          if (action.column == 0) continue;
          const at = itemOf(column, item);
          if (at == NO_ITEM) return BATCH_TOO_LARGE;
          storeVarint(operation, column.words, at, bits);
          continue;
        }
        if (operation <= STORE_FIXED64) {
          const shift: usize = operation == STORE_FIXED32 ? 2 : 3;
          const from = p;
          const size = (<usize>1) << shift;
          if (limit - p < size) return fail(TRUNCATED, tagAt, plan);
          p += size;
          if (action.numCleared != 0) clear(action, item);
          if (action.column == 0) continue;
          const at = itemOf(column, item);
          if (at == NO_ITEM) return BATCH_TOO_LARGE;
          const target = column.words + (<usize>at << shift);
          if (shift == 2) store<u32>(target, load<u32>(from));
          else store<u64>(target, load<u64>(from));
          continue;
        }
        if (operation == READ_GROUP) {
          if (action.numCleared != 0) clear(action, item);
          innerGroup = tag >> 3;
          inner = SKIPPED;
        } else {
          const from = readLength(p, limit);
          if (from <= TOO_LONG) return fail(from == CUT ? TRUNCATED : VARINT, tagAt, plan);
          p = lengthEnd;
          if (operation != READ_MESSAGE) {
            if (operation != STORE_BYTES && from == p) continue;
            if (action.numCleared != 0) clear(action, item);
            if (action.column == 0) continue;
            const stored = storeLengthDelimited(column, operation, item, from, p);
            if (stored == OK) continue;
            return stored == BATCH_TOO_LARGE ? stored : fail(stored, tagAt, plan);
          }
          if (action.numCleared != 0) clear(action, item);
          if (action.column == 0) continue;
          innerLimit = p;
          p = from;
        }
        if (action.column != 0) {
          inner = action.message;
          if (action.replaces && column.lastParent == <i32>item) truncate(column, <i32>item);
          innerItem = itemOf(column, item);
          if (innerItem == NO_ITEM) return BATCH_TOO_LARGE;
        }
      }
    } else if (group != 0) return fail(TRUNCATED, p, plan);
    if (isEnd) {
      if (frame == firstFrame) return OK;
      if (plan.role == ENTRY && !setDefaults(plan, item)) return BATCH_TOO_LARGE;
      frame -= FRAME_BYTES;
      plan = changetype<MessagePlan>(<usize>load<u32>(frame));
      item = load<u32>(frame, FRAME_ITEM);
      limit = load<u32>(frame, FRAME_LIMIT);
      group = load<u32>(frame, FRAME_GROUP);
    } else {
      if (frame == lastFrame) return fail(DEPTH, tagAt, plan);
      store<u32>(frame, <u32>changetype<usize>(plan));
      store<u32>(frame, item, FRAME_ITEM);
      store<u32>(frame, <u32>limit, FRAME_LIMIT);
      store<u32>(frame, group, FRAME_GROUP);
      frame += FRAME_BYTES;
      plan = changetype<MessagePlan>(inner);
      item = innerItem;
      limit = innerLimit;
      group = innerGroup;
    }
    dense = plan.dense;
    denseTags = plan.denseTags;
  }
}

/** Stores a byte string or packed values for `parent`. */
// @ts-ignore: decorator
@inline
function storeLengthDelimited(column: Column, operation: u32, parent: u32, start: usize, end: usize): u32 {
  if (operation == STORE_BYTES) {
    const item = itemOf(column, parent);
    return item != NO_ITEM && setBytes(column, item, start, end) ? OK : BATCH_TOO_LARGE;
  }
  const encoding = operation - STORE_PACKED;
  return encoding >= FIXED32
    ? storePackedFixed(column, encoding, parent, start, end)
    : storePackedVarints(column, encoding, parent, start, end);
}

/** Drops the values of `parent` in the other members of a oneof. */
function clear(action: FieldAction, parent: u32): void {
  for (let index: u32 = 0; index < action.numCleared; index++) {
    const column = changetype<Column>(<usize>load<u32>(action.clears + (<usize>index << 2)));
    if (column.lastParent == <i32>parent) truncate(column, <i32>parent);
  }
}

/** Sets the default for a missing key or value of a map entry; false if the batch is too large. */
function setDefaults(plan: MessagePlan, item: u32): bool {
  for (let index: u32 = 0; index < plan.numColumns; index++) {
    if (!setDefault(plan.columnAt(index), item)) return false;
  }
  return true;
}
