import type { DecoderPlan } from "../typescript/message-decoder.js";
import { type FieldAction, type MessagePlan, MessageRole } from "../typescript/message-plan.js";

/**
 * Returns the root and all plans that are reached through the `message` of an action, without duplicates. The plans of single map
 * keys, of messages inside an Any, and of MessageSet items are not reached in this way.
 */
export function messagesOf({ root }: DecoderPlan): readonly MessagePlan[] {
  const found = new Set([root]);
  for (const plan of found) {
    for (const { message } of actionsOf(plan)) if (message !== null) found.add(message);
  }
  return [...found];
}

export function actionsOf({ dense, sparse }: MessagePlan): readonly FieldAction[] {
  return [...dense.filter((action) => action !== undefined), ...sparse.values()];
}

/**
 * Returns true if WebAssembly supports a plan. Plans that read some bytes twice need TypeScript: those with columns of single map
 * keys, casts of Anys, or MessageSets.
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
