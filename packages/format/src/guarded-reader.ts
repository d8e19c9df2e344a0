import { ArgumentError, linkSignals, UserFunctionError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
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
  return {
    arrowSchema: plan.arrowSchema,
    schema: plan.schema,
    splits: plan.splits,
    read: (split, options = {}) => {
      const leaving = new AbortController();
      return leavable(
        guardedRead(plan, split, options, { checkBatch, closing, leaving: leaving.signal }),
        leaving,
      );
    },
  };
}

/**
 * `batches`, left also while the next one is awaited: a generator would answer `return()` only when it has come, which
 * a stalled source may put off for ever. The read under way then ends as at the end of the batches.
 */
function leavable(
  batches: AsyncGenerator<RecordBatch, void, undefined>,
  leaving: AbortController,
): AsyncIterableIterator<RecordBatch, void, undefined> {
  return {
    next: () => batches.next(),
    return() {
      leaving.abort();
      return batches.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface ReadGuards {
  readonly checkBatch: BatchCheck;
  /** What ends a read from outside, beside the caller's signal. */
  readonly closing: AbortSignal;
  readonly leaving: AbortSignal;
}

async function* guardedRead(
  plan: ReadPlan,
  split: Split,
  options: ReadOptions,
  { checkBatch, closing, leaving }: ReadGuards,
): AsyncGenerator<RecordBatch, void, undefined> {
  assertReadOptions(options);
  const own = findSplit(plan.splits, split);
  const { from, onProgress } = options;
  const link = linkSignals(leaving, options.signal, closing);
  const { signal } = link;
  try {
    signal.throwIfAborted();
    const batches = plan.read(own, { from, signal, onProgress: onProgress && guardProgress(onProgress) });
    for await (const batch of batches) {
      signal.throwIfAborted();
      checkBatch(batch);
      yield batch;
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
  } catch (error) {
    if (leaving.aborted) return;
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
