import type { ReadPlan } from "@tfxio/format";
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch } from "apache-arrow";
import type { ReadSplit } from "./read-splits.js";

/** Leases of a plan's batches; of a format that lends none, leases of batches that own their memory. */
export function leasesOf(plan: ReadPlan): ReadSplit<Leased<RecordBatch>> {
  return plan.readLeased?.bind(plan) ?? ownedAsLeases(plan);
}

/** Batches that own their memory, in the form of leases. */
export function ownedAsLeases(plan: ReadPlan): ReadSplit<Leased<RecordBatch>> {
  return async function* (split, options) {
    for await (const batch of plan.read(split, options)) yield { batch, release() {} };
  };
}
