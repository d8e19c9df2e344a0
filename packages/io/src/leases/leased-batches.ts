import { ArgumentError, linkSignals } from "@tfxio/wire";
import type { LentBatch } from "@tfxio/format";
import { type BatchLease, OpenLease } from "./batch-lease.js";
import type { CheckedRecordBatchesOptions } from "../options.js";
import { cutForReaders } from "../reading/cut-splits.js";
import { createProgressTotals, readPass } from "../reading/read-pass.js";
import { leasesOf } from "./leases-of.js";
import type { PlannedRead } from "../record-batches.js";
import { placeRead } from "../workers/place-read.js";

/** Maximum number of leases that the caller may hold. Each lease keeps the memory of one batch in use, some tens of megabytes. */
const MAX_LEASES = 4;

/**
 * Yields all batches of a plan as leases. All leases are released when the signal aborts, the reader closes or the loop ends. If
 * worker threads own the memory, this happens before the threads serve another pass.
 * @throws {ArgumentError} `invalid-argument` (`too-many-leases`) when the caller holds four leases and requests a fifth.
 */
export async function* leasedBatchesOf(
  planned: PlannedRead,
  options: CheckedRecordBatchesOptions,
): AsyncGenerator<BatchLease, void, undefined> {
  const leases = new OpenLeases();
  const ending = linkSignals(options.signal, planned.access.closing);
  const { signal } = ending;
  // Register this listener before placeRead registers its own, which gives the threads back.
  signal.addEventListener("abort", () => leases.releaseAll(), { once: true });
  try {
    signal.throwIfAborted();
    const { splitBytes } = planned;
    const plan = await cutForReaders(await planned.plan(), { ...options, splitBytes, signal });
    const placed = await placeRead(plan, planned.access, {
      ...options,
      signal,
      isLeased: true,
    });
    const close = (): Promise<void> => {
      leases.releaseAll();
      return placed.close();
    };
    const read = leasesOf(placed.plan);
    const totals = createProgressTotals(options.onProgress);
    try {
      for (let epoch = 0; epoch < options.numEpochs; epoch++) {
        const pass = readPass(
          { ...placed, close },
          {
            pass: epoch,
            seed: 0,
            options,
            splitBytes,
            formatShuffles: false,
            read: async function* (split, readOptions) {
              for await (const leased of read(split, readOptions)) {
                const lease = leases.open(leased);
                signal.throwIfAborted();
                yield lease;
              }
            },
            signal,
            totals,
          },
        );
        let isEmpty = true;
        for await (const lease of pass) {
          signal.throwIfAborted();
          leases.handOut(lease);
          isEmpty = false;
          yield lease;
        }
        // If there are no rows, stop after the first pass. With infinitely many epochs, the loop would otherwise never yield or
        // end.
        if (isEmpty) return;
      }
    } finally {
      await close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    ending.unlink();
  }
}

/** The unreleased leases of all passes, including leases that the caller has not received yet. */
class OpenLeases {
  readonly #open = new Set<OpenLease>();
  readonly #handedOut = new Set<OpenLease>();
  #isOver = false;

  open(leased: LentBatch): OpenLease {
    const lease = new OpenLease(leased, () => {
      this.#open.delete(lease);
      this.#handedOut.delete(lease);
    });
    this.#open.add(lease);
    if (this.#isOver) lease.release();
    return lease;
  }

  /** Marks a lease as handed to the caller. @throws {ArgumentError} `invalid-argument` (`too-many-leases`). */
  handOut(lease: OpenLease): void {
    if (this.#handedOut.size >= MAX_LEASES) throw tooManyLeases();
    this.#handedOut.add(lease);
  }

  /** Releases all leases. A lease that is opened later is released immediately. */
  releaseAll(): void {
    this.#isOver = true;
    for (const lease of this.#open) lease.release();
  }
}

function tooManyLeases(): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `At most ${MAX_LEASES} leases may be held at the same time; release one first, or use recordBatches to keep batches.`,
    { reason: "too-many-leases", argument: "lease" },
  );
}
