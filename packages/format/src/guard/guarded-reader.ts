import {
  ArgumentError,
  handedOver,
  type ItemReader,
  itemsOf,
  cancellable,
  linkSignals,
  UserFunctionError,
} from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { badOutput, createBatchCheck } from "./check-batch.js";
import { findSplit, resolveReadOptions } from "./check-read.js";
import { type RequestTaker, resolveRequest } from "./check-request.js";
import type { Reader } from "../format.js";
import type { FormatReader } from "../format-spec.js";
import { isLendingPlan, type LendingPlan } from "../records/lending.js";
import { guardRows } from "./guarded-rows.js";
import type { PlanGuards } from "./plan-guards.js";
import type { ReadOptions, ReadPlan, ReadProgress, Split } from "../read-plan.js";
import type { ReadRequest } from "../read-request.js";

/**
 * Wraps a format's reader to enforce the contract of readers, in one place for all formats. The wrapper checks requests and
 * output, and ends all reads on close. After an abort it rejects with the unwrapped `signal.reason`, even if the format threw a
 * different error.
 */
export function guardReader(reader: FormatReader, taker: RequestTaker): Reader {
  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  return {
    async plan(request: ReadRequest = {}): Promise<ReadPlan> {
      closing.signal.throwIfAborted();
      const resolved = resolveRequest("plan", request, taker);
      const plan = await linked([request.signal, closing.signal], (signal) =>
        reader.plan({ ...resolved, signal }),
      );
      if (plan.filtered !== undefined && plan.filtered !== "no" && resolved.filter === undefined) {
        throw badOutput(
          `${taker.id} must return an unfiltered plan if no filter is requested, found { filtered: "${plan.filtered}" }.`,
        );
      }
      return guardPlan(plan, { request: resolved, taker, closing: closing.signal });
    },
    close(): Promise<void> {
      if (closed === undefined) {
        const message = `This reader of ${taker.id} was closed.`;
        closing.abort(new ArgumentError("invalid-argument", message, { reason: "reader-closed" }));
        closed = (async () => reader.close?.())();
      }
      return closed;
    },
  };
}

/** A method that yields the items of a split, and a function that returns an item's batch. */
interface PlanRead<Item> {
  readonly read: (split: Split, options: ReadOptions) => AsyncIterable<Item>;
  readonly batchOf: (item: Item) => RecordBatch;
}

/**
 * Wraps a plan. Its methods then check their arguments and the batches, and any read in progress ends when the reader is closed.
 */
function guardPlan(plan: ReadPlan, guards: PlanGuards): ReadPlan {
  const { closing, taker, request } = guards;
  const { arrowSchema, schema, splits, filtered = "no" } = plan;
  const open = <Item>(
    { read, batchOf }: PlanRead<Item>,
    split: Split,
    options: ReadOptions,
    leaving: AbortSignal,
  ): ItemReader<Item> => {
    const own = findSplit(plan, split);
    const resolved = resolveReadOptions(options, plan, taker);
    const check = createBatchCheck(request, resolved, taker.id);
    const onProgress = resolved.onProgress && guardProgress(resolved.onProgress);
    const link = linkSignals(leaving, resolved.signal, closing);
    const { signal } = link;
    const items = itemsOf(() => read(own, { ...resolved, signal, onProgress }));
    return {
      async next() {
        try {
          signal.throwIfAborted();
          const item = await items.next();
          signal.throwIfAborted();
          if (item !== undefined) check(batchOf(item));
          return item;
        } catch (error) {
          signal.throwIfAborted();
          throw error;
        }
      },
      async close() {
        try {
          await items.close();
        } finally {
          link.unlink();
        }
      },
    };
  };
  const guarded = <Item>(
    read: PlanRead<Item>,
    split: Split,
    options: ReadOptions = {},
  ): AsyncIterable<Item> =>
    cancellable((leaving) => {
      let items: ItemReader<Item> | undefined;
      return handedOver(
        async () => (items ??= open(read, split, options, leaving)).next(),
        async () => items?.close(),
      );
    });
  const readPlan: ReadPlan = {
    arrowSchema,
    schema,
    filtered,
    splits,
    ...(plan.subdivide && {
      subdivide: async (split, { signal } = {}) => {
        const own = findSplit(plan, split);
        return linked([signal, closing], (both) => plan.subdivide!(own, { signal: both }));
      },
    }),
    ...(plan.openRows &&
      taker.reads.randomAccess === "rows" && {
        openRows: async (split, { signal } = {}) => {
          const own = findSplit(plan, split);
          const rows = await linked([signal, closing], (both) => plan.openRows!(own, { signal: both }));
          return guardRows(rows, guards);
        },
      }),
    read: (split, options) =>
      guarded({ read: plan.read.bind(plan), batchOf: (batch) => batch }, split, options),
  };
  if (!isLendingPlan(plan)) return readPlan;
  const lending: LendingPlan = {
    ...readPlan,
    readLeased: (split, options) =>
      guarded({ read: plan.readLeased.bind(plan), batchOf: ({ batch }) => batch }, split, options),
  };
  return lending;
}

/** Calls `run` with a signal that aborts as soon as one of `signals` does. After an abort, rejects with that signal's reason. */
async function linked<Result>(
  signals: readonly (AbortSignal | undefined)[],
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const link = linkSignals(...signals);
  try {
    link.signal.throwIfAborted();
    const result = await run(link.signal);
    link.signal.throwIfAborted();
    return result;
  } catch (error) {
    link.signal.throwIfAborted();
    throw error;
  } finally {
    link.unlink();
  }
}

/** Wraps the caller's function, so that an error that it throws becomes `user-function`. */
function guardProgress(onProgress: (progress: ReadProgress) => void): (progress: ReadProgress) => void {
  return (progress) => {
    try {
      onProgress(progress);
    } catch (cause) {
      throw new UserFunctionError(`onProgress failed: ${String(cause)}`, { operator: "onProgress", cause });
    }
  };
}
