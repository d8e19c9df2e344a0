import type { RecordBatch } from "apache-arrow";
import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { PayloadSession } from "./record-format-parts.js";

// Leases are not part of the contract: only `io` asks for them, and formats of kernels that lend memory answer.

/** A batch over memory that is lent: nobody may look at it after `release`. */
export interface LentBatch {
  readonly batch: RecordBatch;
  /** Gives the memory back. Safe to call twice. */
  release(this: void): void;
}

/** A plan whose batches may lie in memory that serves others after their release, which spares a copy. */
export interface LendingPlan extends ReadPlan {
  readLeased(split: Split, options?: ReadOptions): AsyncIterable<LentBatch>;
}

/** A session that can lend its batches. */
export interface LendingSession extends PayloadSession {
  /** Like `finish`, over memory that is lent. */
  finishLeased(): LentBatch;
}

/** True for a plan that lends. */
export function isLendingPlan(plan: ReadPlan): plan is LendingPlan {
  return typeof (plan as Partial<LendingPlan>).readLeased === "function";
}

/** The session's batch, lent where the session can. */
export function lentBatchOf(session: PayloadSession): LentBatch {
  const { finishLeased } = session as Partial<LendingSession>;
  return finishLeased?.call(session) ?? { batch: session.finish(), release() {} };
}
