import { isLendingPlan, type LentBatch, type ReadPlan } from "@tfxio/format";
import type { ReadSplit } from "../reading/read-split.js";

/**
 * Returns a function that reads the batches of a split as leases. If the plan does not lend memory, the batches own their memory.
 */
export function leasesOf(plan: ReadPlan): ReadSplit<LentBatch> {
  return isLendingPlan(plan) ? plan.readLeased.bind(plan) : ownedAsLeases(plan);
}

/** Returns a function that reads batches that own their memory. Releasing them has no effect. */
export function ownedAsLeases(plan: ReadPlan): ReadSplit<LentBatch> {
  return async function* (split, options) {
    for await (const batch of plan.read(split, options)) yield { batch, release() {} };
  };
}
