// The position of the last error, and the plan of the message that contains it.
import { MessagePlan } from "./message-plan";

export let errorAt: usize = 0;
/** Address of the plan of the message that contains the error. */
export let errorPlan: usize = 0;

/** Records the position of an error and returns its status. */
export function fail(status: u32, at: usize, plan: MessagePlan): u32 {
  errorAt = at;
  errorPlan = changetype<usize>(plan);
  return status;
}
