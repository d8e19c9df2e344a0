import { onAbort } from "./linked-signal.js";

/**
 * Resolves or rejects like `pending`, but rejects with `signal.reason` as soon as `signal` aborts.
 * @param discard Receives a value that arrives after the abort, to free its resources. A rejection after the abort is dropped.
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
