import type { TransferableBatch } from "@tfxio/arrow-encoding";
import type { ReadOptions, ReadProgress, Split } from "@tfxio/format";
import type { DescribedRead } from "../description/describe-data.js";
import type { CarriedError } from "./carried-error.js";

/** Everything that a worker makes a plan of. All of it survives a structured clone. */
export interface ThreadRead extends DescribedRead {
  /** Batches stay in the worker's memory, which is shared, until they are released. */
  readonly isLeased: boolean;
}

/** What the calling thread says. `read` numbers the reads of a worker. */
export type ToWorker =
  /** A read without batches, which ends when the worker has the format. */
  | { readonly kind: "open"; readonly read: number; readonly described: ThreadRead }
  | {
      readonly kind: "read";
      readonly read: number;
      readonly split: Split;
      readonly from: ReadOptions["from"];
      readonly shuffle: ReadOptions["shuffle"];
      /** Batches that may be sent before the first `more`. */
      readonly credit: number;
    }
  /** One batch was taken: another one may be sent. */
  | { readonly kind: "more"; readonly read: number }
  | { readonly kind: "stop"; readonly read: number }
  /** A leased batch is not looked at any more. */
  | { readonly kind: "release"; readonly lease: number }
  /** The pass is over, every read ended or stopped: the worker frees what it has opened and waits for another one. */
  | { readonly kind: "close" };

/**
 * What a worker says of a read: `end` or `error` comes last, also when it was stopped. `progress` is what the format
 * reported since the last message.
 */
export type FromWorker = { readonly read: number } & (
  | {
      readonly kind: "batch";
      readonly batch: TransferableBatch;
      /** Its number, when it is leased. */
      readonly lease: number | undefined;
      readonly progress: ReadProgress | undefined;
    }
  | { readonly kind: "end"; readonly progress: ReadProgress | undefined }
  | { readonly kind: "error"; readonly error: CarriedError }
);
