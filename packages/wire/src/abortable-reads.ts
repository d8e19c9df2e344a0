import type { ByteSource, StreamOptions } from "./byte-source.js";
import { onAbort } from "./linked-signal.js";

/**
 * {@link ByteSource.slice}, given up as soon as `signal` aborts, also of a source that does not heed it: what such a
 * source then still delivers is dropped.
 */
export function sliceOf(
  source: ByteSource,
  start: number,
  end: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return untilAborted(source.slice(start, end, { signal }), signal);
}

/** {@link ByteSource.stream}, given up in the same way; the source is told to close, and not waited for. */
export async function* streamOf(
  source: ByteSource,
  options: StreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const { signal } = options;
  const chunks = source.stream(options)[Symbol.asyncIterator]();
  let isIdle = true;
  try {
    for (;;) {
      isIdle = false;
      const { done, value } = await untilAborted(chunks.next(), signal);
      isIdle = true;
      if (done === true) return;
      yield value;
    }
  } finally {
    const closed = Promise.resolve(chunks.return?.());
    // Closing waits for a read under way, which a source that does not heed the signal may never end.
    if (isIdle) await closed;
    else closed.catch(() => {});
  }
}

function untilAborted<Value>(pending: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return pending;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    const settled = signal.aborted ? undefined : onAbort(signal, abort);
    pending.then(resolve, reject).finally(settled);
  });
}
