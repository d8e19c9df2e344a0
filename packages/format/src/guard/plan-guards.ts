import type { PlanRequest } from "../read-request.js";
import type { RequestTaker } from "./check-request.js";

/** Context shared by the reads of one plan: what they are checked against, and the signals that end them. */
export interface PlanGuards {
  readonly request: PlanRequest;
  readonly taker: RequestTaker;
  readonly closing: AbortSignal;
}
