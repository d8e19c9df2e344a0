import { onAbort } from "./linked-signal.js";

/**
 * The result of `pending`. Rejects with `signal.reason` as soon as `signal` aborts.
 * @param discard receives a value that arrives after the abort, to free its resources. A late rejection is dropped.
 */
export function untilAborted<Value>(
  pending: PromiseLike<Value>,
  signal: AbortSignal | undefined,
  discard?: (late: Value) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason);
    if (signal?.aborted === true) abort();
    const unsubscribe = signal === undefined || signal.aborted ? undefined : onAbort(signal, abort);
    pending.then(
      (value) => {
        unsubscribe?.();
        if (signal?.aborted === true) discard?.(value);
        resolve(value);
      },
      (error: unknown) => {
        unsubscribe?.();
        reject(error);
      },
    );
  });
}
