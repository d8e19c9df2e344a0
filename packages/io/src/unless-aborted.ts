import { onAbort } from "@tfxio/wire";

/** What `pending` gives, unless `signal` aborts first: what it gives then is dropped. @throws `signal.reason`. */
export async function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return pending;
  pending.catch(() => {});
  signal.throwIfAborted();
  let letGo: (() => void) | undefined;
  try {
    return await Promise.race([
      pending,
      new Promise<never>((_, reject) => {
        letGo = onAbort(signal, () => reject(signal.reason as Error));
      }),
    ]);
  } finally {
    letGo?.();
  }
}
