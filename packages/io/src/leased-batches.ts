import { ArgumentError } from "@tfxio/wire";
import { type BatchLease, OpenLease } from "./batch-lease.js";
import { epochs } from "./epochs.js";
import type { CheckedRecordBatchesOptions } from "./options.js";
import { leasesOf } from "./leases-of.js";
import type { PlannedRead } from "./record-batches.js";
import { placeRead } from "./workers/place-read.js";

/** Leases that may be out at once: each keeps the memory of a batch from being used, some tens of megabytes. */
const MAX_LEASES = 4;

/**
 * All batches of a plan as leases, none of which outlives the iteration.
 * @throws {ArgumentError} `invalid-argument` (`too-many-leases`).
 */
export async function* leasedBatchesOf(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
): AsyncGenerator<BatchLease, void, undefined> {
  options.signal?.throwIfAborted();
  const plan = await planned.plan();
  const placed = await placeRead(plan, planned.request, planned.access, { ...options, isLeased: true });
  /** All that hold memory, those that are not handed out yet too. */
  const open = new Set<OpenLease>();
  const handedOut = new Set<OpenLease>();
  const forget = (lease: OpenLease): void => {
    open.delete(lease);
    handedOut.delete(lease);
  };
  const read = leasesOf(placed.plan);
  try {
    const leases = epochs(placed, options, 0, {
      read: async function* (split, readOptions) {
        for await (const leased of read(split, readOptions)) {
          const lease = new OpenLease(leased, forget);
          open.add(lease);
          yield lease;
        }
      },
      numRows: ({ batch }) => batch.numRows,
    });
    for await (const lease of leases) {
      handedOut.add(lease);
      yield lease;
      if (handedOut.size >= MAX_LEASES) throw tooManyLeases();
    }
  } finally {
    for (const lease of open) lease.release();
    await placed.close();
  }
}

function tooManyLeases(): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `${MAX_LEASES} leases are out, and no more are given: release them, or use recordBatches for batches to keep`,
    { reason: "too-many-leases", argument: "lease" },
  );
}
