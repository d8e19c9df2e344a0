import { ArgumentError } from "@tfxio/wire";
import type { LentBatch } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";

/**
 * A record batch on loan: after the release its memory may hold other batches. Use the batch, then release it. Copy whatever must
 * live longer before the release.
 */
export interface BatchLease {
  /**
   * The batch, borrowed. Do not use any view of it after the release. Views of the calling thread's memory are then empty, and
   * views of memory that worker threads share may show another batch.
   * @throws {ArgumentError} `invalid-argument` (`lease-released`) after the release, or after the end of the loop.
   */
  readonly batch: RecordBatch;
  /** Returns the memory. Safe to call twice. */
  release(): void;
  /** {@link release}, for `using`. */
  [Symbol.dispose](): void;
}

/** A lease that tracks its own release and reports it to a callback. */
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
      "this lease was released, or its loop has ended: use the batch before that, and copy whatever must live longer",
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
