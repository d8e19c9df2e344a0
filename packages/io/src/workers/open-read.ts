import type { Format, LentBatch } from "@tfxio/format";
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

/**
 * The plan that was described, anew on this thread. @param formats at hand here. @param closing aborts when the pass is over.
 * @throws what opening and planning throw; `closing.reason`.
 */
export async function openRead(
  { description, options, blobs, isLeased }: ThreadRead,
  formats: readonly Format[],
  closing: AbortSignal,
): Promise<OpenedRead> {
  const chosen = isLeased ? await sharedKernels() : undefined;
  // Only one pass at a time is read here, so the choice is that of the pass, unless another one has begun meanwhile.
  closing.throwIfAborted();
  useKernels(chosen);
  const { format, reader } = await openDescribed(description, { formats, blobs, options, signal: closing });
  const plan = await composePlan(format, reader, requestOf(description.request), { signal: closing }).catch(
    async (error: unknown) => {
      await reader.close();
      throw error;
    },
  );
  return {
    batches: isLeased ? leasesOf(plan) : ownedAsLeases(plan),
    close: () => reader.close(),
  };
}
