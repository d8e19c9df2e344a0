// Where and in which message the record at hand is damaged.
import { MessagePlan } from "./message-plan";

export let errorAt: usize = 0;
/** Address of a plan. */
export let errorPlan: usize = 0;

/** Notes the place of an error and gives its status back. */
export function fail(status: u32, at: usize, plan: MessagePlan): u32 {
  errorAt = at;
  errorPlan = changetype<usize>(plan);
  return status;
}
