// The fields of a message that are read, and the operation for each. The host (src/kernels/wasm/lay-plan.ts) writes the objects
// of these classes: one 32-bit word for each member, in the order of declaration.
import { Column } from "./column";

/** Role of a message without special rules, as in `MessageRole`. */
export const PLAIN: u32 = 0;
/** Role of a map entry: a missing key or value is the default. */
export const ENTRY: u32 = 1;

@unmanaged
export class MessagePlan {
  role: u32;
  numColumns: u32;
  /** Addresses of the columns directly below the message. */
  columns: usize;
  /** Addresses of the actions by tag, for tags below `denseTags`. 0 for tags without an action. */
  dense: usize;
  denseTags: u32;
  /** Pairs of a tag and the address of its action, ascending, for other tags. */
  sparse: usize;
  numSparse: u32;
  /** The action that `readPlainFields` tries first. `readPlainFields` replaces it if a different plain field comes first. */
  first: usize;

  // @ts-ignore: decorator
  @inline
  columnAt(index: u32): Column {
    return changetype<Column>(<usize>load<u32>(this.columns + (<usize>index << 2)));
  }
}

/** The operation for a value depends on its wire type and on the encoding of its field. */
export const STORE_VARINT32: u32 = 0;
export const STORE_ZIGZAG32: u32 = 1;
export const STORE_VARINT64: u32 = 2;
export const STORE_ZIGZAG64: u32 = 3;
export const STORE_BOOL: u32 = 4;
export const STORE_FIXED32: u32 = 5;
export const STORE_FIXED64: u32 = 6;
export const STORE_BYTES: u32 = 7;
export const READ_MESSAGE: u32 = 8;
export const READ_GROUP: u32 = 9;
/** Added to the number of an encoding to get the number of the operation for packed values in that encoding. */
export const STORE_PACKED: u32 = 16;

/** The operation for a field in one of its possible wire forms. */
@unmanaged
export class FieldAction {
  operation: u32;
  /** 0 for an unread field that matters only because it clears the other members of its oneof. */
  column: usize;
  /** Plan of the values if they are messages, else 0. */
  message: usize;
  /** 1 if a repeated occurrence of a singular message replaces the earlier one instead of being merged. */
  replaces: u32;
  /** Addresses of the columns of the other members of the field's oneof. A value of the field clears them. */
  clears: usize;
  numCleared: u32;
  /** The tag if plain-fields.as may read the field, else `NOT_PLAIN` of src/kernels/wasm/lay-plan.ts. */
  plainTag: u32;
  /** The encoding of the values, which is also the operation for values that are not packed. */
  encoding: u32;
  /** Bytes before the first value of a plain field: the tag and, for byte strings and packed values, the length. */
  headBytes: u32;
  /** The action that `readPlainFields` tries after this one: the plain action that followed it most recently. */
  next: usize;
}

/** The address of the action for a tag that is not below `denseTags`; 0 if the tag has no action. */
export function findSparse(plan: MessagePlan, tag: u32): usize {
  let low: u32 = 0;
  let high = plan.numSparse;
  while (low < high) {
    const middle = (low + high) >> 1;
    const pair = plan.sparse + (<usize>middle << 3);
    const found = load<u32>(pair);
    if (found == tag) return load<u32>(pair, 4);
    if (found < tag) low = middle + 1;
    else high = middle;
  }
  return 0;
}
