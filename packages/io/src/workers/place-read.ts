import type { ReadPlan, ReadRequest } from "@tfxio/format";
import { type ByteSource, isTfxioError } from "@tfxio/wire";
import { availableThreads } from "#worker";
import type { CheckedRecordBatchesOptions } from "../options.js";
import type { ReadDescriber } from "./describe-read.js";
import type { ReadDescription } from "./protocol.js";
import { planInWorkers } from "./worker-plan.js";

/** `"auto"` starts no more: one consumer hardly takes what so many threads decode. */
const MAX_AUTO_WORKERS = 8;

/** What reading in other threads takes, beside a plan. */
export interface WorkerAccess {
  readonly describe: ReadDescriber;
  readonly sources: readonly ByteSource[];
  /** Aborts when the reader is closed. */
  readonly closing: AbortSignal;
}

/** Options of a pass that say where it is read. */
export type PlaceOptions = Pick<CheckedRecordBatchesOptions, "workers" | "readerNumThreads" | "signal"> & {
  /** Batches stay in the memory of the thread that makes them. Default false. */
  readonly isLeased?: boolean | undefined;
};

/** Where the splits of one pass are read. */
export interface PlacedRead {
  readonly plan: ReadPlan;
  /** Splits to be read at the same time. */
  readonly numReaders: number;
  /** Ends the reads, and gives back their threads. Safe to call twice. */
  close(this: void): Promise<void>;
}

/**
 * `plan` on the calling thread, or in as many worker threads as `options` ask for.
 * @throws {UnsupportedError} `unsupported` (`worker-format`, `worker-source`, `worker-options`, `worker-runtime`,
 * `shared-memory`) when a number of workers was asked for and they cannot read this; `"auto"` then stays on the calling thread.
 */
export async function placeRead(
  plan: ReadPlan,
  request: ReadRequest,
  access: WorkerAccess,
  options: PlaceOptions,
): Promise<PlacedRead> {
  const { workers, readerNumThreads, isLeased = false } = options;
  access.closing.throwIfAborted();
  const description = workers === 0 ? undefined : describe(request, access, isLeased, workers === "auto");
  const wanted =
    description === undefined
      ? 0
      : workers === "auto"
        ? await suggestWorkers(access.sources, options.signal)
        : workers;
  const numReaders = readerNumThreads ?? Math.max(1, wanted);
  const numWorkers = Math.min(wanted, numReaders, plan.splits.length);
  if (description === undefined || numWorkers === 0) {
    return { plan, numReaders, close: () => Promise.resolve() };
  }
  const placed = planInWorkers(plan, description, numWorkers);
  let closed: Promise<void> | undefined;
  const close = (reason?: unknown): Promise<void> => {
    closed ??= placed.close(reason);
    return closed;
  };
  const { closing } = access;
  const abort = (): void => void close(closing.reason);
  closing.addEventListener("abort", abort, { once: true });
  return {
    plan: placed.plan,
    numReaders,
    close() {
      closing.removeEventListener("abort", abort);
      return close();
    },
  };
}

function describe(
  request: ReadRequest,
  access: WorkerAccess,
  isLeased: boolean,
  mayStayHere: boolean,
): ReadDescription | undefined {
  try {
    return access.describe(request, isLeased);
  } catch (error) {
    if (mayStayHere && isTfxioError(error, "unsupported")) return undefined;
    throw error;
  }
}

/**
 * A core stays with the calling thread, which trains meanwhile. Gzip is inflated beside the thread that decodes and
 * takes more time than that, so such a worker counts for two.
 */
async function suggestWorkers(
  [first]: readonly ByteSource[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const [magic0, magic1] = (await first?.slice(0, 2, { signal })) ?? [];
  const isGzip = magic0 === 0x1f && magic1 === 0x8b;
  const numThreads = availableThreads();
  return Math.min(MAX_AUTO_WORKERS, isGzip ? Math.floor(numThreads / 2) : numThreads - 1);
}
