import { isTfxioError, onAbort, UserFunctionError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { PassRequest, RecordBatchFactory } from "./batch-source.js";

/**
 * Yields the batches of one pass. When the signal aborts, stops waiting for the factory and calls `return()` of its iterator.
 * @param operator The public function that calls the factory, for errors.
 * @throws any TfxioError from the factory, and the reason of the signal, both unchanged.
 * @throws {UserFunctionError} for any other error of the factory, with that error as its `cause`.
 */
export async function* passBatches(
  factory: RecordBatchFactory,
  request: PassRequest,
  operator: string,
): AsyncGenerator<RecordBatch, void, undefined> {
  const { signal } = request;
  let items: AsyncIterator<RecordBatch> | Iterator<RecordBatch> | undefined;
  let isWaiting = false;
  try {
    items = iteratorOf(factory(request));
    for (;;) {
      signal.throwIfAborted();
      isWaiting = true;
      const { done, value } = await untilAborted(Promise.resolve(items.next()), signal);
      isWaiting = false;
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    isWaiting = false;
    if (isTfxioError(error)) throw error;
    throw new UserFunctionError(`The function that produces the record batches failed: ${String(error)}`, {
      operator,
      cause: error,
    });
  } finally {
    const returned = Promise.resolve(items?.return?.());
    // return() of a generator waits for its pending await, which may never settle after an abort. So do not await return() if
    // the abort interrupted next().
    if (isWaiting) returned.catch(() => undefined);
    else await returned;
  }
}

function iteratorOf(
  items: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
): AsyncIterator<RecordBatch> | Iterator<RecordBatch> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

function untilAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const unsubscribe = onAbort(signal, () => reject(signal.reason));
    pending.then(resolve, reject).finally(unsubscribe);
  });
}
