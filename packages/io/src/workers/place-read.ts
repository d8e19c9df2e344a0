import type { ReadPlan } from "@tfxio/format";
import { type ByteSource, isTfxioError, onAbort, UnsupportedError } from "@tfxio/wire";
import { availableThreads } from "#worker";
import type { CheckedRecordBatchesOptions } from "../options.js";
import { autoWorkers } from "./auto-workers.js";
import type { DescribedRead } from "../description/describe-data.js";
import type { PlacedPlan } from "../reading/read-pass.js";
import type { ThreadRead } from "./protocol.js";
import { planInWorkers, type WorkerPlan } from "./worker-plan.js";

/** What worker threads need to read a plan, in addition to the plan itself. */
export interface WorkerAccess {
  /** Describes the read so that other threads can open it. @throws {UnsupportedError} when other threads cannot repeat it. */
  describe(this: void): DescribedRead;
  readonly sources: readonly ByteSource[];
  /** Aborts when the reader is closed. */
  readonly closing: AbortSignal;
}

/** The options of a pass that determine which threads read it. */
export type PlaceOptions = Pick<
  CheckedRecordBatchesOptions,
  "workers" | "readerNumThreads" | "sloppyOrdering" | "signal"
> & {
  /** True if the batches are leased: they stay in the memory of the thread that decodes them. Default false. */
  readonly isLeased?: boolean | undefined;
};

/**
 * Schedules `plan` on the calling thread or on worker threads, as `options` determine.
 * @throws {UnsupportedError} `unsupported` (`worker-format`, `worker-source`, `worker-options`, `shared-memory`) if `workers` is
 *   a number above 0 and threads cannot repeat the read. If threads cannot start, reading the returned plan throws
 *   `worker-runtime`. With `"auto"`, the calling thread reads the plan in both cases.
 */
export async function placeRead(
  plan: ReadPlan,
  access: WorkerAccess,
  options: PlaceOptions,
): Promise<PlacedPlan> {
  const { workers, readerNumThreads, isLeased = false } = options;
  access.closing.throwIfAborted();
  const onCallingThread = { plan, numReaders: readerNumThreads ?? 1, close: () => Promise.resolve() };
  if (workers === 0) return onCallingThread;
  if (workers === "auto") return (await placeAuto(plan, access, options)) ?? onCallingThread;
  const numReaders = readerNumThreads ?? workers;
  const placed = planInWorkers(plan, describeTo(access, isLeased), Math.min(workers, plan.splits.length));
  return { plan: placed.plan, numReaders, close: closingWith(access.closing, placed) };
}

/** Schedules the plan for `workers: "auto"`. Returns undefined if the calling thread must read it. */
async function placeAuto(
  plan: ReadPlan,
  access: WorkerAccess,
  options: PlaceOptions,
): Promise<PlacedPlan | undefined> {
  const { readerNumThreads, sloppyOrdering, signal, isLeased = false } = options;
  const numWorkers = await suggestWorkers(plan, access.sources, options);
  access.closing.throwIfAborted();
  const description = numWorkers === 0 ? undefined : describeIfPossible(access, isLeased);
  if (description === undefined) return undefined;
  const placed = planInWorkers(plan, description, numWorkers);
  const close = closingWith(access.closing, placed);
  let isReady = false;
  try {
    isReady = await placed.start(signal);
  } finally {
    if (!isReady) await close();
  }
  const numReaders = readerNumThreads ?? (sloppyOrdering ? numWorkers : 1);
  return isReady ? { plan: placed.plan, numReaders, close } : undefined;
}

/** Returns a function that ends the reads of `placed` and gives its threads back. Aborting `closing` has the same effect. */
function closingWith(closing: AbortSignal, placed: WorkerPlan): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = (reason?: unknown): Promise<void> => {
    closed ??= placed.close(reason);
    return closed;
  };
  const unsubscribe = onAbort(closing, () => void close(closing.reason));
  return () => {
    unsubscribe();
    return close();
  };
}

function describeIfPossible(access: WorkerAccess, isLeased: boolean): ThreadRead | undefined {
  try {
    return describeTo(access, isLeased);
  } catch (error) {
    if (isTfxioError(error, "unsupported")) return undefined;
    throw error;
  }
}

function describeTo(access: WorkerAccess, isLeased: boolean): ThreadRead {
  if (isLeased && typeof SharedArrayBuffer === "undefined") {
    throw new UnsupportedError(
      "Leased batches of worker threads need SharedArrayBuffer, which a page has only if it is cross-origin isolated; set workers to 0.",
      { feature: "leased batches in workers", reason: "shared-memory" },
    );
  }
  return { ...access.describe(), isLeased };
}

/**
 * Returns the result of {@link autoWorkers} for a pass. Returns 0 for in-memory bytes, because threads would need a copy of the
 * bytes. Reads the first two bytes of the first source, but only if gzip affects the result.
 */
async function suggestWorkers(
  { splits }: ReadPlan,
  sources: readonly ByteSource[],
  { readerNumThreads, sloppyOrdering, signal }: PlaceOptions,
): Promise<number> {
  if (sources.some(({ origin }) => ArrayBuffer.isView(origin))) return 0;
  const input = {
    cores: availableThreads(),
    byteLengths: sources.map(({ byteLength }) => byteLength),
    numSplits: splits.length,
    readerNumThreads,
    sloppyOrdering,
  };
  const ofPlain = autoWorkers({ ...input, isGzip: false });
  const ofGzip = autoWorkers({ ...input, isGzip: true });
  if (ofPlain === ofGzip) return ofPlain;
  const [magic0, magic1] = (await sources[0]?.slice(0, 2, { signal })) ?? [];
  return magic0 === 0x1f && magic1 === 0x8b ? ofGzip : ofPlain;
}
