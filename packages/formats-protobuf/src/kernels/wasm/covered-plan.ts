import type { DecoderPlan } from "../typescript/message-decoder.js";
import { type FieldAction, type MessagePlan, MessageRole } from "../typescript/message-plan.js";

/** All messages of a plan, the root first, each once. */
export function messagesOf({ root }: DecoderPlan): readonly MessagePlan[] {
  const found = new Set([root]);
  for (const plan of found) {
    for (const { message } of actionsOf(plan)) if (message !== null) found.add(message);
  }
  return [...found];
}

/** What a plan does with the fields that it knows. */
export function actionsOf({ dense, sparse }: MessagePlan): readonly FieldAction[] {
  return [...dense.filter((action) => action !== undefined), ...sparse.values()];
}

/**
 * Whether WebAssembly reads a plan. It knows no second looks at bytes: columns of single map keys, of types in an Any, and
 * MessageSets are for the TypeScript implementation.
 */
export function isCovered(plan: DecoderPlan): boolean {
  return (
    plan.anys.length === 0 &&
    messagesOf(plan).every(
      (message) =>
        (message.role === MessageRole.message || message.role === MessageRole.entry) &&
        message.messageSetItem === null &&
        message.notes === null &&
        actionsOf(message).every(({ keyed }) => keyed === null),
    )
  );
}
