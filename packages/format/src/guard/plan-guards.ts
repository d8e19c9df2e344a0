import type { PlanRequest } from "../read-request.js";
import type { RequestTaker } from "./check-request.js";

/** Context shared by the reads of one plan: the request and format to check them against, and the signal that ends them. */
export interface PlanGuards {
  readonly request: PlanRequest;
  readonly taker: RequestTaker;
  readonly closing: AbortSignal;
}
