import { isLendingPlan, type LentBatch, type ReadPlan } from "@tfxio/format";
import type { ReadSplit } from "../reading/read-split.js";

/**
 * Returns a function that reads a plan's batches as leases. If the format does not lend memory, the leased batches own theirs.
 */
export function leasesOf(plan: ReadPlan): ReadSplit<LentBatch> {
  return isLendingPlan(plan) ? plan.readLeased.bind(plan) : ownedAsLeases(plan);
}

/** Returns batches that own their memory, as leases whose release does nothing. */
export function ownedAsLeases(plan: ReadPlan): ReadSplit<LentBatch> {
  return async function* (split, options) {
    for await (const batch of plan.read(split, options)) yield { batch, release() {} };
  };
}
