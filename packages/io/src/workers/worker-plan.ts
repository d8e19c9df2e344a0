import type { LendingPlan, ReadPlan } from "@tfxio/format";
import { isTfxioError } from "@tfxio/wire";
import type { ThreadRead } from "./protocol.js";
import { borrowWorker, giveBackWorker } from "./idle-workers.js";
import type { ReadWorker } from "./read-worker.js";

/** A plan that worker threads read. It owns the threads until it is closed. */
export interface WorkerPlan {
  readonly plan: LendingPlan;
  /**
   * Starts the first thread. Resolves to false if no thread can start or import the format. In that case nothing has been read.
   * @throws `signal.reason` if aborted; the reason of `close` if closed first.
   */
  start(signal: AbortSignal | undefined): Promise<boolean>;
  /** Returns the threads. Reads in progress reject with `reason`. */
  close(reason: unknown): Promise<void>;
}

/** Reads `plan` in up to `numWorkers` threads. Borrows another thread when all borrowed threads are busy. */
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
