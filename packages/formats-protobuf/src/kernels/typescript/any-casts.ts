import type { Column } from "./column.js";
import { DecodeStatus } from "../decode-status.js";
import type { MessagePlan } from "./message-plan.js";
import type { RangeNotes } from "./range-notes.js";

/** Field numbers of google.protobuf.Any. */
export const ANY_TYPE_URL = 1;
/** @see {@link ANY_TYPE_URL} */
export const ANY_VALUE = 2;

const SLASH = 0x2f;

/** A column for the Anys that hold one type. */
export interface AnyCast {
  /** Full name of the type, as bytes. */
  readonly typeName: Uint8Array;
  /** Its parents are the Anys. */
  readonly column: Column;
  readonly message: MessagePlan;
}

/** The casts of one field of type Any. */
export interface AnyCasts {
  /** The column whose items are the Anys; null when the record is one itself. */
  readonly owner: Column | null;
  readonly notes: RangeNotes;
  readonly casts: readonly AnyCast[];
  /** An Any without a value is no message, as for struct2tensor; else it is one without fields. */
  readonly needsValue: boolean;
}

/** Decodes a message into an item of its plan. */
export type ReadMessage = (plan: MessagePlan, item: number, start: number, end: number) => DecodeStatus;

/**
 * Decodes what the Anys of a record hold. Done once the record is read, since an Any may come in several parts, of which
 * the last type and the last value count; so each value is decoded at most once.
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

/** The cast to the type that a URL names after its last slash. */
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
