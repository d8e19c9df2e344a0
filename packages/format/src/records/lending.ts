import type { RecordBatch } from "apache-arrow";
import type { ReadOptions, ReadPlan, Split } from "../read-plan.js";
import type { PayloadSession } from "./record-format-parts.js";

// Leases are not part of the contract. Only `@tfxio/io` uses them, with formats whose kernels lend memory.

/** A batch over lent memory. The batch must not be read after `release`. */
export interface LentBatch {
  readonly batch: RecordBatch;
  /** Gives the memory back. Safe to call twice. */
  release(this: void): void;
}

/** A plan that can lend its batches. Lending saves a copy. The memory of a batch is reused after its release. */
export interface LendingPlan extends ReadPlan {
  /** Yields the batches of one split as {@link ReadPlan.read} does, but over lent memory. Release each batch. */
  readLeased(split: Split, options?: ReadOptions): AsyncIterable<LentBatch>;
}

/** A session that can lend its batches. */
export interface LendingSession extends PayloadSession {
  /** Works like `finish`, but returns a batch over lent memory. */
  finishLeased(): LentBatch;
}

/** Returns whether a plan can lend its batches. */
export function isLendingPlan(plan: ReadPlan): plan is LendingPlan {
  return typeof (plan as Partial<LendingPlan>).readLeased === "function";
}

/** Finishes the session's batch. The batch is lent if the session supports that; otherwise `release` does nothing. */
export function lentBatchOf(session: PayloadSession): LentBatch {
  const { finishLeased } = session as Partial<LendingSession>;
  return finishLeased?.call(session) ?? { batch: session.finish(), release() {} };
}
