import { type MessagePlan, SKIPPED } from "./message-plan.js";

/** Messages and groups nested deeper than this are refused, as by protobuf's own C++ and Java parsers. */
export const MAX_DEPTH = 100;

/** The messages that are open, the innermost one last: what decoding goes on with when the one in them has ended. */
export class Frames {
  readonly plans: MessagePlan[] = Array.from({ length: MAX_DEPTH + 1 }, () => SKIPPED);
  /** Index of the message among those of its plan. */
  readonly items: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Where the message ends; of a group, where what is around it ends. */
  readonly limits: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Field number of a group, 0 for a message with a length. */
  readonly groups: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Where the message in this one began. */
  readonly starts: Int32Array = new Int32Array(MAX_DEPTH + 1);
  /** Where to go on after the message in this one; -1: where that ended. */
  readonly resumes: Int32Array = new Int32Array(MAX_DEPTH + 1);
}
