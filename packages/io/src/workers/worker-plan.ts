import type { ReadPlan } from "@tfxio/format";
import type { ReadDescription } from "./protocol.js";
import { borrowWorker, giveBackWorker } from "./idle-workers.js";
import type { ReadWorker } from "./read-worker.js";

/** A plan that is read by other threads, which it has to itself until it is closed. */
export interface WorkerPlan {
  readonly plan: ReadPlan;
  /** Gives the threads back; reads that are under way reject with `reason`. */
  close(reason: unknown): Promise<void>;
}

/** `plan` in up to `numWorkers` threads, each borrowed when the ones before are busy. */
export function planInWorkers(plan: ReadPlan, description: ReadDescription, numWorkers: number): WorkerPlan {
  const workers: ReadWorker[] = [];
  let closed: { readonly reason: unknown } | undefined;
  const leastBusy = (): ReadWorker => {
    const [first, ...rest] = workers;
    let best = first;
    for (const worker of rest) if (best === undefined || worker.numReads < best.numReads) best = worker;
    if (best !== undefined && (best.numReads === 0 || workers.length === numWorkers)) return best;
    const borrowed = borrowWorker();
    workers.push(borrowed);
    borrowed.open(description);
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
    async close(reason) {
      closed ??= { reason };
      await Promise.all(workers.map((worker) => giveBackWorker(worker, reason)));
    },
  };
}
