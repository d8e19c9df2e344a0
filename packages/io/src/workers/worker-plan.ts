import type { LendingPlan, ReadPlan } from "@tfxio/format";
import { isTfxioError } from "@tfxio/wire";
import type { ThreadRead } from "./protocol.js";
import { borrowWorker, giveBackWorker } from "./idle-workers.js";
import type { ReadWorker } from "./read-worker.js";

/** A plan that worker threads read. It has exclusive use of the threads until it is closed. */
export interface WorkerPlan {
  readonly plan: LendingPlan;
  /**
   * Starts the first thread. Resolves to false if the thread cannot start or cannot import the format. In that case, no data has
   * been read.
   * @throws `signal.reason` if the signal aborts; the reason passed to `close` if the plan is closed meanwhile.
   */
  start(signal: AbortSignal | undefined): Promise<boolean>;
  /** Gives the threads back. Reads in progress reject with `reason`. */
  close(reason: unknown): Promise<void>;
}

/**
 * Returns a plan that reads `plan` in up to `numWorkers` threads. Another thread is borrowed when all borrowed threads are busy.
 * Once `numWorkers` threads are borrowed, a read goes to the thread with the fewest reads.
 */
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
