import type { Format, LentBatch } from "@tfxio/format";
import { sharedKernels, useKernels } from "@tfxio/wire/kernels";
import { openDescribed } from "../description/open-described.js";
import { requestOf } from "../description/request-json.js";
import { leasesOf, ownedAsLeases } from "../leases/leases-of.js";
import { composePlan } from "../reading/compose-plan.js";
import type { ReadSplit } from "../reading/read-split.js";
import type { ThreadRead } from "./protocol.js";

/** A read opened in this thread. */
export interface OpenedRead {
  /** Batches of a split. They own their memory, unless the read is leased. */
  readonly batches: ReadSplit<LentBatch>;
  close(): Promise<void>;
}

/**
 * Repeats a described plan on this thread.
 * @param formats Formats that are already loaded in this thread.
 * @param closing Aborts when the pass ends.
 * @throws whatever opening and planning throw; `closing.reason`.
 */
export async function openRead(
  { description, options, blobs, isLeased }: ThreadRead,
  formats: readonly Format[],
  closing: AbortSignal,
): Promise<OpenedRead> {
  const chosen = isLeased ? await sharedKernels() : undefined;
  // A thread reads one pass at a time, so the pass chooses the kernels, unless another pass has begun meanwhile.
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
