import type { RecordBatch } from "apache-arrow";
import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { PayloadSession } from "./record-format-parts.js";

// Leases are not part of the contract. Only `io` asks for them, from formats whose kernels lend memory.

/** A batch over lent memory. Nothing may read it after `release`. */
export interface LentBatch {
  readonly batch: RecordBatch;
  /** Gives the memory back. Safe to call twice. */
  release(this: void): void;
}

/** A plan that can lend its batches: their memory is reused after the release, which saves a copy. */
export interface LendingPlan extends ReadPlan {
  readLeased(split: Split, options?: ReadOptions): AsyncIterable<LentBatch>;
}

/** A session that can lend its batches. */
export interface LendingSession extends PayloadSession {
  /** Like `finish`, but over lent memory. */
  finishLeased(): LentBatch;
}

/** True for a plan that lends. */
export function isLendingPlan(plan: ReadPlan): plan is LendingPlan {
  return typeof (plan as Partial<LendingPlan>).readLeased === "function";
}

/** The session's batch, lent if the session supports it. */
export function lentBatchOf(session: PayloadSession): LentBatch {
  const { finishLeased } = session as Partial<LendingSession>;
  return finishLeased?.call(session) ?? { batch: session.finish(), release() {} };
}
