import { type MessagePlan, SKIPPED } from "./message-plan.js";

/** Maximum nesting of messages and groups, the default of protobuf's C++ and Java parsers. */
export const MAX_DEPTH = 100;

/**
 * The stack of the messages that enclose the current one, the innermost last. One array per property, so that pushing a message
 * allocates nothing. When a message ends, decoding continues with the last message of the stack.
 */
export class Frames {
  /** Plan of the message. */
  readonly plans: MessagePlan[] = Array.from({ length: MAX_DEPTH + 1 }, () => SKIPPED);
  /** Index by which the columns of its plan refer to the message. For the record itself, this is the row. */
  readonly items: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** End of the message; for a group, end of the enclosing message. */
  readonly limits: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Field number of a group, 0 for a message with a length. */
  readonly groups: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Start of the message inside this one. */
  readonly starts: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Position at which decoding of this message continues after the message inside it. -1 means the end of that inner message. */
  readonly resumes: Int32Array = new Int32Array(MAX_DEPTH + 1);
}
