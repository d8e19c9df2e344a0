import type { PlanRequest } from "../read-request.js";
import type { RequestTaker } from "./check-request.js";

/** The context that the reads of one plan share. Each read is checked against `request` and `taker`. */
export interface PlanGuards {
  readonly request: PlanRequest;
  readonly taker: RequestTaker;
  /** Aborts when the reader is closed. All reads then end. */
  readonly closing: AbortSignal;
}
