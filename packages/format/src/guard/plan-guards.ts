import type { PlanRequest } from "../read-request.js";
import type { RequestTaker } from "./check-request.js";

/** The context that the reads of one plan share. `request` and `taker` are used to check them. */
export interface PlanGuards {
  readonly request: PlanRequest;
  readonly taker: RequestTaker;
  /** Aborts when the reader is closed, which ends all reads. */
  readonly closing: AbortSignal;
}
