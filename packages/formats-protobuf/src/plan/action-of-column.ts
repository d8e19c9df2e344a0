import type { Column } from "../kernels/typescript/column.js";
import type { FieldAction, MessagePlan } from "../kernels/typescript/message-plan.js";
import { wireTypeOf } from "./scalar-types.js";

/** A column, and what its items are if they are messages. */
export interface CompiledColumn {
  readonly column: Column;
  readonly message: MessagePlan | null;
}

/** Puts a field into a column, and nothing else. */
export function actionOfColumn(number: number, { column, message }: CompiledColumn): FieldAction {
  const { encoding } = column;
  const wireType = wireTypeOf(encoding);
  return { number, encoding, wireType, column, message, clears: null, replaces: false, keyed: null };
}
