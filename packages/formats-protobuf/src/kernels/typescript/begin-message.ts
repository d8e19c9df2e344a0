import type { Column } from "./column.js";
import type { FieldAction } from "./message-plan.js";

/** The item that a message of this field is: a new one, or that of a singular one before it, which it is merged with. */
export function beginMessage({ replaces }: FieldAction, column: Column, parent: number): number {
  if (replaces && column.lastParent === parent) column.truncate(parent);
  const { numItems } = column;
  const item = column.itemOf(parent);
  if (item === numItems) column.message!.notes?.begin(item);
  return item;
}
