import type { Format, LentBatch } from "@tfxio/format";
import { sharedKernels, useKernels } from "@tfxio/wire/kernels";
import { openDescribed } from "../description/open-described.js";
import { requestOf } from "../description/request-json.js";
import { leasesOf, ownedAsLeases } from "../leases/leases-of.js";
import { composePlan } from "../reading/compose-plan.js";
import type { ReadSplit } from "../reading/read-split.js";
import type { ThreadRead } from "./protocol.js";

/** A described read that this thread has opened. */
export interface OpenedRead {
  /** Reads the batches of a split. They own their memory, unless the read is leased. */
  readonly batches: ReadSplit<LentBatch>;
  /** Frees the reader's resources. */
  close(): Promise<void>;
}

/**
 * Opens a described read in this thread, with the same plan as in the calling thread.
 * @param formats Formats that are already loaded in this thread.
 * @param closing Aborts when the pass ends.
 * @throws whatever opening and planning throw, and `closing.reason`.
 */
export async function openRead(
  { description, options, blobs, isLeased }: ThreadRead,
  formats: readonly Format[],
  closing: AbortSignal,
): Promise<OpenedRead> {
  const chosen = isLeased ? await sharedKernels() : undefined;
  // A thread reads one pass at a time, so each pass sets the kernels of the thread. If this pass has
  // already ended, another pass may have set its own kernels, which this pass must not replace.
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
