import type { Column } from "../kernels/typescript/column.js";
import type { FieldAction, MessagePlan } from "../kernels/typescript/message-plan.js";
import { wireTypeOf } from "./scalar-types.js";

/** A column, with the plan of its items if they are messages. */
export interface CompiledColumn {
  readonly column: Column;
  readonly message: MessagePlan | null;
}

/** Creates an action that only stores a field in a column. @param number number of the field. */
export function actionOfColumn(number: number, { column, message }: CompiledColumn): FieldAction {
  const { encoding } = column;
  const wireType = wireTypeOf(encoding);
  return { number, encoding, wireType, column, message, clears: null, replaces: false, keyed: null };
}
