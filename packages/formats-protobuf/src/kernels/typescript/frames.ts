import { type MessagePlan, SKIPPED } from "./message-plan.js";

/** Maximum nesting of messages and groups, the same as in protobuf's own C++ and Java parsers. */
export const MAX_DEPTH = 100;

/** Stack of open messages, the innermost last. When an inner message ends, decoding continues with the enclosing one. */
export class Frames {
  readonly plans: MessagePlan[] = Array.from({ length: MAX_DEPTH + 1 }, () => SKIPPED);
  /** Index of the message among the messages of its plan. */
  readonly items: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** End of the message; for a group, end of the enclosing message. */
  readonly limits: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Field number of a group, 0 for a message with a length. */
  readonly groups: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Start of the message inside this one. */
  readonly starts: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Position at which to continue after the message inside this one; -1: at its end. */
  readonly resumes: Int32Array = new Int32Array(MAX_DEPTH + 1);
}
