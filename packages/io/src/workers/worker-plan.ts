import type { ReadPlan } from "@tfxio/format";
import type { ReadDescription } from "./protocol.js";
import { ReadWorker } from "./read-worker.js";

/** A plan that is read by other threads, which live until it is closed. */
export interface WorkerPlan {
  readonly plan: ReadPlan;
  /** Ends the threads; reads that are under way reject with `reason`. */
  close(reason: unknown): Promise<void>;
}

/** `plan` in up to `numWorkers` threads, each started when the ones before are busy. */
export function planInWorkers(plan: ReadPlan, description: ReadDescription, numWorkers: number): WorkerPlan {
  const workers: ReadWorker[] = [];
  let closed: { readonly reason: unknown } | undefined;
  const leastBusy = (): ReadWorker => {
    const [first, ...rest] = workers;
    let best = first;
    for (const worker of rest) if (best === undefined || worker.numReads < best.numReads) best = worker;
    if (best !== undefined && (best.numReads === 0 || workers.length === numWorkers)) return best;
    const started = new ReadWorker(description);
    workers.push(started);
    return started;
  };
  return {
    plan: {
      ...plan,
      async *read(split, options = {}) {
        if (closed !== undefined) throw closed.reason;
        yield* leastBusy().read(split, options);
      },
    },
    async close(reason) {
      closed ??= { reason };
      for (const worker of workers) worker.fail(() => reason);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
