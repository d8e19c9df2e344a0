import type { LentBatch } from "@tfxio/format";
import { sharedKernels, useKernels } from "@tfxio/wire/kernels";
import { openDescribed } from "../description/open-described.js";
import { requestOf } from "../description/request-json.js";
import { leasesOf, ownedAsLeases } from "../leases/leases-of.js";
import { composePlan } from "../reading/compose-plan.js";
import type { ReadSplit } from "../reading/read-split.js";
import type { ThreadRead } from "./protocol.js";

/** How splits are read here, and the way to free what their reader holds. */
export interface OpenedRead {
  /** Batches own their memory unless the read was described as leased. */
  readonly batches: ReadSplit<LentBatch>;
  close(): Promise<void>;
}

/** The plan that was described, anew on this thread. @throws what opening and planning throw. */
export async function openRead({ description, options, blobs, isLeased }: ThreadRead): Promise<OpenedRead> {
  // Only one pass at a time is read here, so the choice is that of the pass.
  useKernels(isLeased ? await sharedKernels() : undefined);
  const { format, reader } = await openDescribed(description, { blobs, options });
  const plan = await composePlan(format, reader, requestOf(description.request));
  return {
    batches: isLeased ? leasesOf(plan) : ownedAsLeases(plan),
    close: () => reader.close(),
  };
}
