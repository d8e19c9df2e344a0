import type { Column } from "./column.js";
import type { FieldAction } from "./message-plan.js";

/** Returns the item for a message of this field: a new item, or the item of an earlier singular message to merge with. */
export function beginMessage({ replaces }: FieldAction, column: Column, parent: number): number {
  if (replaces && column.lastParent === parent) column.truncate(parent);
  const { numItems } = column;
  const item = column.itemOf(parent);
  if (item === numItems) column.message!.notes?.begin(item);
  return item;
}
