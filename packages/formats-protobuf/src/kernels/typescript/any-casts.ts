import type { Column } from "./column.js";
import { DecodeStatus } from "../decode-status.js";
import type { MessagePlan } from "./message-plan.js";
import type { RangeNotes } from "./range-notes.js";

/** Field number of the type URL in `google.protobuf.Any`. */
export const ANY_TYPE_URL = 1;
/** Field number of the serialized message in `google.protobuf.Any`. */
export const ANY_VALUE = 2;

/** The byte `/`. The type name is everything after the last slash of the URL. */
const SLASH = 0x2f;

/** The column for the Anys that hold one message type. */
export interface AnyCast {
  /** Full name of the type, in UTF-8. */
  readonly typeName: Uint8Array;
  /** The column of the cast. Its parents are all Anys of the field, including those of other types. */
  readonly column: Column;
  readonly message: MessagePlan;
}

/** The casts of one field of type Any. */
export interface AnyCasts {
  /** The column whose items are the Anys. Null if the record itself is an Any. */
  readonly owner: Column | null;
  readonly notes: RangeNotes;
  readonly casts: readonly AnyCast[];
  /** If true, the cast of an Any without a value is null, as in struct2tensor. If false, it is an empty message. */
  readonly needsValue: boolean;
}

/** Decodes the message in bytes `start` (inclusive) to `end` (exclusive) as the message with index `item` of `plan`. */
export type ReadMessage = (plan: MessagePlan, item: number, start: number, end: number) => DecodeStatus;

/**
 * Decodes the messages in the Anys of a record, after the entire record has been read. If an Any occurs in several parts, its
 * last type and its last value are used. Waiting for the end ensures that each value is decoded at most once.
 */
export function castAnys(
  anys: readonly AnyCasts[],
  bytes: Uint8Array,
  row: number,
  read: ReadMessage,
): DecodeStatus {
  for (const { owner, notes, casts, needsValue } of anys) {
    const end = owner === null ? row + 1 : owner.numItems;
    for (let item = notes.firstItem; item < end; item++) {
      const cast = castOf(casts, bytes, notes.start(item, ANY_TYPE_URL), notes.end(item, ANY_TYPE_URL));
      const start = notes.start(item, ANY_VALUE);
      if (cast === undefined || (needsValue && start < 0)) continue;
      const { column, message } = cast;
      const inner = column.itemOf(item);
      message.notes?.begin(inner);
      const status = read(message, inner, Math.max(0, start), Math.max(0, notes.end(item, ANY_VALUE)));
      if (status !== DecodeStatus.ok) return status;
    }
  }
  return DecodeStatus.ok;
}

/**
 * Returns the cast for the type name after the last slash of a URL. Undefined if there is no URL (`start` is negative), if it has
 * no slash, or if no cast to its type is requested.
 */
function castOf(
  casts: readonly AnyCast[],
  bytes: Uint8Array,
  start: number,
  end: number,
): AnyCast | undefined {
  if (start < 0) return undefined;
  for (let at = end - 1; at >= start; at--) {
    if (bytes[at] !== SLASH) continue;
    return casts.find(
      ({ typeName }) =>
        typeName.length === end - at - 1 && typeName.every((byte, index) => byte === bytes[at + 1 + index]),
    );
  }
  return undefined;
}
