import { ArgumentError } from "@tfxio/wire";
import type { LentBatch } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";

/**
 * A record batch that is lent: its buffers may lie in memory that serves other batches after the release. Use it, then
 * release it; what shall live longer has to be copied out before.
 */
export interface BatchLease {
  /**
   * The batch. What is left of it after the release must not be looked at: views of the calling thread's memory have no
   * elements any more, views of memory that worker threads share may show another batch.
   * @throws {ArgumentError} `invalid-argument` (`lease-released`) after the release, or the end of the loop.
   */
  readonly batch: RecordBatch;
  /** Gives the memory back. Safe to call twice. */
  release(): void;
  /** {@link release}, for `using`. */
  [Symbol.dispose](): void;
}

/** A lease that knows whether it was released, and tells whoever counts. */
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
      "this lease was released, or its loop has ended: use the batch before, and copy what shall stay",
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
