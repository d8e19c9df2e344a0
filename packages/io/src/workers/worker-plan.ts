import type { LendingPlan, ReadPlan } from "@tfxio/format";
import { isTfxioError } from "@tfxio/wire";
import type { ThreadRead } from "./protocol.js";
import { borrowWorker, giveBackWorker } from "./idle-workers.js";
import type { ReadWorker } from "./read-worker.js";

/** A plan that is read by other threads, which it has to itself until it is closed. */
export interface WorkerPlan {
  readonly plan: LendingPlan;
  /**
   * Starts the first thread. False when there will be none: it cannot be started, or not import the format. Nothing was
   * read then. @throws `signal.reason` when aborted, the reason of `close` when closed before.
   */
  start(signal: AbortSignal | undefined): Promise<boolean>;
  /** Gives the threads back; reads that are under way reject with `reason`. */
  close(reason: unknown): Promise<void>;
}

/** `plan` in up to `numWorkers` threads, each borrowed when the ones before are busy. */
export function planInWorkers(plan: ReadPlan, described: ThreadRead, numWorkers: number): WorkerPlan {
  const workers: ReadWorker[] = [];
  let closed: { readonly reason: unknown } | undefined;
  const leastBusy = (): ReadWorker => {
    const [first, ...rest] = workers;
    let best = first;
    for (const worker of rest) if (best === undefined || worker.numReads < best.numReads) best = worker;
    if (best !== undefined && (best.numReads === 0 || workers.length === numWorkers)) return best;
    const borrowed = borrowWorker();
    workers.push(borrowed);
    borrowed.open(described);
    return borrowed;
  };
  const nextWorker = (): ReadWorker => {
    if (closed !== undefined) throw closed.reason;
    return leastBusy();
  };
  return {
    plan: {
      ...plan,
      async *read(split, options = {}) {
        yield* nextWorker().read(split, options);
      },
      async *readLeased(split, options = {}) {
        yield* nextWorker().readLeased(split, options);
      },
    },
    async start(signal) {
      try {
        await nextWorker().opened(signal);
        return true;
      } catch (error) {
        signal?.throwIfAborted();
        if (closed !== undefined) throw closed.reason;
        if (isTfxioError(error, "unsupported", "io-failed")) return false;
        throw error;
      }
    },
    async close(reason) {
      closed ??= { reason };
      await Promise.all(workers.map((worker) => giveBackWorker(worker, reason)));
    },
  };
}
