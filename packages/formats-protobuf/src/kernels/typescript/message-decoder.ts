import { type AnyCasts, castAnys } from "./any-casts.js";
import { beginMessage } from "./begin-message.js";
import { BeginPass } from "./begin-pass.js";
import type { Column } from "./column.js";
import { DecodeStatus } from "../decode-status.js";
import { Encoding } from "../encoding.js";
import { Frames, MAX_DEPTH } from "./frames.js";
import { actionOf, type MessagePlan, MessageRole, SKIPPED } from "./message-plan.js";
import { int32At, storePackedFixed, storePackedVarints, storeVarint } from "./store-values.js";
import { CUT, VarintReader } from "./varint-reader.js";

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;
/** Maximum number of bytes in a tag, which has at most 32 bits. */
const MAX_TAG_BYTES = 5;
/** Maximum value of the fifth byte of a tag. The first four bytes hold 28 of the 32 bits, so only four bits are left. */
const MAX_LAST_TAG_BYTE = 0x0f;

export interface DecoderPlan {
  readonly root: MessagePlan;
  /** The Any fields with casts, outer fields before the fields inside their casts. */
  readonly anys: readonly AnyCasts[];
}

/**
 * Decodes records of one message type into columns. Reads the bytes in one pass and without recursion. Only Anys, MessageSet
 * items and entries of maps with chosen keys are read again.
 *
 * The framing of every field of a visited message is checked. The content of unrequested messages is not checked. A damaged
 * record leaves the columns as they were before it.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export class MessageDecoder {
  numRows = 0;
  /** Offset of the last error in the decoded bytes. For a damaged field, it is the offset of the tag. */
  errorOffset = 0;
  /** Path of the message that contains the last error; empty for the record itself and for an unrequested group. */
  errorPath = "";
  readonly #frames = new Frames();
  readonly #varint = new VarintReader();
  readonly #pass = new BeginPass();
  readonly #plan: DecoderPlan;

  constructor(plan: DecoderPlan) {
    this.#plan = plan;
  }

  /**
   * Appends a row for the record from `start` to `end`, exclusive. Appends nothing if the record is damaged.
   * @throws {BatchTooLarge} if the columns would exceed the memory budget. After this error, the columns are unusable.
   */
  decode(bytes: Uint8Array, start: number, end: number): DecodeStatus {
    const { root, anys } = this.#plan;
    const row = this.numRows;
    for (const { notes, owner } of anys) notes.clear(owner === null ? row : owner.numItems);
    root.notes?.begin(row);
    let status = this.#read(bytes, root, row, start, end);
    if (status === DecodeStatus.ok && anys.length > 0) {
      status = castAnys(anys, bytes, row, (plan, item, from, to) => this.#read(bytes, plan, item, from, to));
    }
    if (status === DecodeStatus.ok) this.numRows++;
    else this.#dropRow(row);
    return status;
  }

  /** Appends a row in which every column is null. */
  addNullRow(): void {
    this.numRows++;
  }

  /** Starts an empty batch. */
  clear(): void {
    this.numRows = 0;
    this.#dropRow(0);
  }

  /** Removes everything that the records from `row` on have added. */
  #dropRow(row: number): void {
    for (const column of this.#plan.root.columns) column.truncate(row);
  }

  /** Reads one message and the messages inside it into item `rootItem` of `rootPlan`. */
  #read(
    bytes: Uint8Array,
    rootPlan: MessagePlan,
    rootItem: number,
    start: number,
    end: number,
  ): DecodeStatus {
    const { plans, items, limits, groups, starts, resumes } = this.#frames;
    const varint = this.#varint;
    const pass = this.#pass;
    let plan = rootPlan;
    let item = rootItem;
    let limit = end;
    let group = 0;
    let depth = 0;
    let at = start;
    for (;;) {
      // The message that begins in this step, if any, and its position.
      let inner: MessagePlan | null = null;
      let innerItem = 0;
      let innerLimit = limit;
      let innerGroup = 0;
      let resume = -1;
      const tagAt = at;
      if (at >= limit) {
        if (group !== 0) return this.#fail(DecodeStatus.truncated, at, plan);
        if (depth === 0) return DecodeStatus.ok;
        const ended = plan;
        const endedItem = item;
        const endedStart = starts[--depth]!;
        const endedLimit = limit;
        plan = plans[depth]!;
        item = items[depth]!;
        limit = limits[depth]!;
        group = groups[depth]!;
        if (resumes[depth]! >= 0) at = resumes[depth]!;
        if (ended.role === MessageRole.message) continue;
        inner = pass.after(ended, endedItem, bytes, endedStart, endedLimit, item, plan);
        if (inner === null) continue;
        innerItem = pass.item;
        innerLimit = pass.end;
        resume = at;
        at = pass.start;
      } else {
        let tag = bytes[at++]!;
        if (tag >= 0x80) {
          at = varint.read(bytes, tagAt, limit);
          if (at < 0) return this.#failTag(at, tagAt, limit, plan);
          if (at - tagAt > MAX_TAG_BYTES) return this.#fail(DecodeStatus.tag, tagAt, plan);
          if (at - tagAt === MAX_TAG_BYTES && bytes[at - 1]! > MAX_LAST_TAG_BYTE)
            return this.#fail(DecodeStatus.tag, tagAt, plan);
          tag = varint.low;
        }
        const number = tag >>> 3;
        if (number === 0) return this.#fail(DecodeStatus.tag, tagAt, plan);
        const action = actionOf(plan, number);
        switch (tag & 7) {
          case VARINT: {
            let low = 0;
            let high = 0;
            if (at < limit && bytes[at]! < 0x80) low = bytes[at++]!;
            else {
              at = varint.read(bytes, at, limit);
              if (at < 0) return this.#failVarint(at, tagAt, plan);
              ({ low, high } = varint);
            }
            if (action === undefined || action.wireType !== VARINT) continue;
            if (action.clears !== null) clear(action.clears, item);
            const { column } = action;
            if (column !== null) storeVarint(column, column.itemOf(item), low, high);
            continue;
          }
          case FIXED64: {
            if (limit - at < 8) return this.#fail(DecodeStatus.truncated, tagAt, plan);
            at += 8;
            if (action === undefined || action.wireType !== FIXED64) continue;
            if (action.clears !== null) clear(action.clears, item);
            const { column } = action;
            if (column === null) continue;
            const index = column.itemOf(item) * 2;
            column.words[index] = int32At(bytes, at - 8);
            column.words[index + 1] = int32At(bytes, at - 4);
            continue;
          }
          case FIXED32: {
            if (limit - at < 4) return this.#fail(DecodeStatus.truncated, tagAt, plan);
            at += 4;
            if (action === undefined || action.wireType !== FIXED32) continue;
            if (action.clears !== null) clear(action.clears, item);
            const { column } = action;
            if (column === null) continue;
            const index = column.itemOf(item);
            column.words[index] = int32At(bytes, at - 4);
            continue;
          }
          case LENGTH: {
            let length = 0;
            if (at < limit && bytes[at]! < 0x80) length = bytes[at++]!;
            else {
              at = varint.read(bytes, at, limit);
              if (at < 0) return this.#failVarint(at, tagAt, plan);
              if (varint.high !== 0) return this.#fail(DecodeStatus.truncated, tagAt, plan);
              length = varint.low >>> 0;
            }
            if (length > limit - at) return this.#fail(DecodeStatus.truncated, tagAt, plan);
            const from = at;
            at += length;
            if (plan.notes !== null) plan.notes.note(item, number, from, at);
            if (action === undefined) continue;
            if (action.encoding === Encoding.message) {
              if (action.clears !== null) clear(action.clears, item);
              if (action.keyed !== null) {
                inner = pass.scanKey(action.keyed);
                innerItem = 0;
              } else if (action.column === null) continue;
              else {
                inner = action.message!;
                innerItem = beginMessage(action, action.column, item);
              }
              innerLimit = at;
              at = from;
              break;
            }
            if (action.encoding === Encoding.bytes) {
              if (action.clears !== null) clear(action.clears, item);
              const { column } = action;
              if (column !== null) column.setBytes(column.itemOf(item), bytes, from, at);
              continue;
            }
            if (action.encoding === Encoding.group || length === 0) continue;
            if (action.clears !== null) clear(action.clears, item);
            if (action.column === null) continue;
            const stored =
              action.wireType === VARINT
                ? storePackedVarints(action.column, item, bytes, from, at, varint)
                : storePackedFixed(action.column, item, bytes, from, at);
            if (stored < 0) return this.#failVarint(stored, tagAt, plan);
            continue;
          }
          case START_GROUP: {
            if (action !== undefined && action.encoding === Encoding.group && action.clears !== null)
              clear(action.clears, item);
            if (action?.encoding === Encoding.group && action.column !== null) {
              inner = action.message!;
              innerItem = beginMessage(action, action.column, item);
            } else if (plan.messageSetItem !== null && number === 1) {
              inner = pass.scanItem(plan.messageSetItem);
            } else inner = SKIPPED;
            innerGroup = number;
            break;
          }
          case END_GROUP: {
            if (number !== group) return this.#fail(DecodeStatus.group, tagAt, plan);
            const ended = plan;
            const endedItem = item;
            depth--;
            plan = plans[depth]!;
            item = items[depth]!;
            limit = limits[depth]!;
            group = groups[depth]!;
            if (ended.role === MessageRole.message) continue;
            inner = pass.after(ended, endedItem, bytes, starts[depth]!, tagAt, item, plan);
            if (inner === null) continue;
            innerItem = pass.item;
            innerLimit = pass.end;
            resume = at;
            at = pass.start;
            break;
          }
          default:
            return this.#fail(DecodeStatus.wireType, tagAt, plan);
        }
      }
      if (depth === MAX_DEPTH) return this.#fail(DecodeStatus.depth, tagAt, plan);
      plans[depth] = plan;
      items[depth] = item;
      limits[depth] = limit;
      groups[depth] = group;
      starts[depth] = at;
      resumes[depth] = resume;
      depth++;
      plan = inner;
      item = innerItem;
      limit = innerLimit;
      group = innerGroup;
    }
  }

  #fail(status: DecodeStatus, at: number, { path }: MessagePlan): DecodeStatus {
    this.errorOffset = at;
    this.errorPath = path;
    return status;
  }

  #failVarint(result: number, at: number, plan: MessagePlan): DecodeStatus {
    return this.#fail(result === CUT ? DecodeStatus.truncated : DecodeStatus.varint, at, plan);
  }

  /**
   * Reports a damaged tag. Returns `truncated` if the message ends after fewer than five bytes of the tag. Otherwise returns
   * `tag`, because a tag has at most five bytes.
   */
  #failTag(result: number, at: number, limit: number, plan: MessagePlan): DecodeStatus {
    const isCut = result === CUT && limit - at < MAX_TAG_BYTES;
    return this.#fail(isCut ? DecodeStatus.truncated : DecodeStatus.tag, at, plan);
  }
}

/** Clears the other members of a oneof in the message `parent`. */
function clear(columns: readonly Column[], parent: number): void {
  for (const column of columns) if (column.lastParent === parent) column.truncate(parent);
}
