import { ArgumentError } from "@tfxio/wire";
import type { LentBatch } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";

/**
 * A record batch whose memory is lent to the caller. After the release, the memory may hold another batch. Before the release,
 * copy all data that you want to keep.
 */
export interface BatchLease {
  /**
   * The batch, whose columns are views of lent memory. Do not use these views after the release: they are then empty, or show
   * another batch if the memory is shared with worker threads.
   * @throws {ArgumentError} `invalid-argument` (`lease-released`) after the release, or after the loop over the leases has ended.
   */
  readonly batch: RecordBatch;
  /** Gives the memory back. Later calls have no effect. */
  release(): void;
  /** Calls {@link release}, so that a lease can be declared with `using`. */
  [Symbol.dispose](): void;
}

/** A lease that calls a callback when it is first released. */
export class OpenLease implements BatchLease {
  #leased: LentBatch | undefined;
  readonly #onRelease: (lease: OpenLease) => void;

  constructor(leased: LentBatch, onRelease: (lease: OpenLease) => void) {
    this.#leased = leased;
    this.#onRelease = onRelease;
  }

  get batch(): RecordBatch {
    if (this.#leased !== undefined) return this.#leased.batch;
    throw new ArgumentError(
      "invalid-argument",
      "This lease was released, or its loop has ended; use the batch before then, and copy all data that you want to keep.",
      { reason: "lease-released", argument: "lease" },
    );
  }

  release(): void {
    const leased = this.#leased;
    if (leased === undefined) return;
    this.#leased = undefined;
    leased.release();
    this.#onRelease(this);
  }

  [Symbol.dispose](): void {
    this.release();
  }
}
