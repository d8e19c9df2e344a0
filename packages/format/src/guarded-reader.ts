import { ArgumentError, leavable, linkSignals, UserFunctionError } from "@tfxio/wire";
import { createBatchCheck } from "./check-batch.js";
import { assertReadOptions, findSplit, resolveRequest } from "./check-request.js";
import type {
  FormatReader,
  Reader,
  ReadOptions,
  ReadPlan,
  ReadProgress,
  ReadRequest,
  Split,
} from "./format.js";

/**
 * What every reader promises, kept in one place for all formats: requests are checked, `signal.reason` comes back
 * unwrapped whatever the format made of it, and closing ends what is being read.
 */
export function guardReader(reader: FormatReader, formatId: string): Reader {
  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  return {
    async plan(request: ReadRequest = {}): Promise<ReadPlan> {
      closing.signal.throwIfAborted();
      const resolved = resolveRequest(request);
      const link = linkSignals(request.signal, closing.signal);
      try {
        link.signal.throwIfAborted();
        const plan = await reader.plan({ ...resolved, signal: link.signal });
        link.signal.throwIfAborted();
        return guardPlan(plan, createBatchCheck(resolved, formatId), closing.signal);
      } catch (error) {
        link.signal.throwIfAborted();
        throw error;
      } finally {
        link.unlink();
      }
    },
    close(): Promise<void> {
      if (closed === undefined) {
        const reason = new ArgumentError("invalid-argument", `this reader of ${formatId} was closed`, {
          reason: "reader-closed",
        });
        closing.abort(reason);
        closed = (async () => reader.close?.())();
      }
      return closed;
    },
  };
}

type BatchCheck = ReturnType<typeof createBatchCheck>;

function guardPlan(plan: ReadPlan, checkBatch: BatchCheck, closing: AbortSignal): ReadPlan {
  const guarded = <Batch>(
    read: (split: Split, options: ReadOptions) => AsyncIterable<Batch>,
    check: (batch: Batch) => void,
    split: Split,
    options: ReadOptions = {},
  ): AsyncIterable<Batch> => {
    const { splits } = plan;
    return leavable((leaving) => guardedRead(read, split, options, { splits, check, closing, leaving }));
  };
  const readLeased = plan.readLeased?.bind(plan);
  return {
    arrowSchema: plan.arrowSchema,
    schema: plan.schema,
    splits: plan.splits,
    read: (split, options) => guarded(plan.read.bind(plan), checkBatch, split, options),
    ...(readLeased && {
      readLeased: (split, options) => guarded(readLeased, ({ batch }) => checkBatch(batch), split, options),
    }),
  };
}

interface ReadGuards<Batch> {
  readonly splits: ReadPlan["splits"];
  readonly check: (batch: Batch) => void;
  /** What ends a read from outside, beside the caller's signal. */
  readonly closing: AbortSignal;
  readonly leaving: AbortSignal;
}

async function* guardedRead<Batch>(
  read: (split: Split, options: ReadOptions) => AsyncIterable<Batch>,
  split: Split,
  options: ReadOptions,
  { splits, check, closing, leaving }: ReadGuards<Batch>,
): AsyncGenerator<Batch, void, undefined> {
  assertReadOptions(options);
  const own = findSplit(splits, split);
  const { from, onProgress } = options;
  const link = linkSignals(leaving, options.signal, closing);
  const { signal } = link;
  try {
    signal.throwIfAborted();
    const batches = read(own, { from, signal, onProgress: onProgress && guardProgress(onProgress) });
    for await (const batch of batches) {
      signal.throwIfAborted();
      check(batch);
      yield batch;
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    link.unlink();
  }
}

function guardProgress(onProgress: (progress: ReadProgress) => void): (progress: ReadProgress) => void {
  return (progress) => {
    try {
      onProgress(progress);
    } catch (cause) {
      throw new UserFunctionError("onProgress threw", { operator: "onProgress", cause });
    }
  };
}
