import type { TransferableBatch } from "@tfxio/arrow-encoding";
import type { ReadOptions, ReadProgress, Split } from "@tfxio/format";
import type { DescribedRead } from "../description/describe-data.js";
import type { CarriedError } from "./carried-error.js";

/** Everything that a worker needs to create its own plan. All members survive a structured clone. */
export interface ThreadRead extends DescribedRead {
  /** True if batches stay in the worker's shared memory until they are released. */
  readonly isLeased: boolean;
}

/** A message from the calling thread. `read` is the number of a read, unique within the worker. */
export type ToWorker =
  /** Opens a pass. Counts as a read that has no batches and ends when the worker has loaded the format. */
  | { readonly kind: "open"; readonly read: number; readonly described: ThreadRead }
  | {
      readonly kind: "read";
      readonly read: number;
      readonly split: Split;
      readonly from: ReadOptions["from"];
      readonly shuffle: ReadOptions["shuffle"];
      /** Number of batches that may be sent before the first `more`. */
      readonly credit: number;
    }
  /** One batch was consumed, so the worker may send one more. */
  | { readonly kind: "more"; readonly read: number }
  /** Ends a read before its last batch. */
  | { readonly kind: "stop"; readonly read: number }
  /** The calling thread no longer uses a leased batch. */
  | { readonly kind: "release"; readonly lease: number }
  /**
   * The pass is over, and every read has ended or was stopped. The worker closes the reader that it opened, and waits for the
   * next pass.
   */
  | { readonly kind: "close" };

/**
 * A message from a worker about a read. The last message of a read is `end` or `error`, even if the read was stopped. `progress`
 * is the latest progress that the format has reported since the previous message.
 */
export type FromWorker = { readonly read: number } & (
  | {
      readonly kind: "batch";
      readonly batch: TransferableBatch;
      /** Number of the lease, if the batch is leased. */
      readonly lease: number | undefined;
      readonly progress: ReadProgress | undefined;
    }
  | { readonly kind: "end"; readonly progress: ReadProgress | undefined }
  | { readonly kind: "error"; readonly error: CarriedError }
);
