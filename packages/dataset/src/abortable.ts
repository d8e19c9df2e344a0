import { onAbort } from "@tfxio/wire";

/**
 * Waits for `promise`, but no longer than until `signal` is aborted; then rejects with its reason. What arrives later
 * goes to `discard`.
 */
export function abortable<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal,
  discard: (late: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    const letGo = signal.aborted ? undefined : onAbort(signal, abort);
    promise.then(
      (value) => {
        letGo?.();
        if (signal.aborted) discard(value);
        resolve(value);
      },
      (error: unknown) => {
        letGo?.();
        reject(error);
      },
    );
  });
}
