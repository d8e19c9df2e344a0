import type { ByteSource, StreamOptions } from "./byte-source.js";
import { type LeavableIterator, leavable } from "../leavable.js";
import { type LinkedSignal, linkSignals } from "../linked-signal.js";
import { untilAborted } from "../until-aborted.js";

/**
 * The reads that one reader makes of a source. Each ends as soon as one of the signals aborts or the reader leaves,
 * even when the source ignores its signal; whatever such a source still delivers is dropped. This is the only place in
 * the package where reads listen to signals.
 */
export class AbortableReads {
  readonly source: ByteSource;
  readonly #leaving = new AbortController();
  readonly #link: LinkedSignal;

  constructor(source: ByteSource, ...signals: readonly (AbortSignal | undefined)[]) {
    this.source = source;
    this.#link = linkSignals(...signals, this.#leaving.signal);
  }

  /** @throws `signal.reason` of the first signal that aborted, or the reason of {@link leave}. */
  throwIfAborted(): void {
    this.#link.signal.throwIfAborted();
  }

  /** See {@link ByteSource.slice}. */
  slice(start: number, end: number): Promise<Uint8Array> {
    return sliceOf(this.source, start, end, this.#link.signal);
  }

  /** See {@link ByteSource.stream}. The source is told to close when the loop is left, and waited for if it is idle. */
  stream(options: Omit<StreamOptions, "signal"> = {}): AsyncGenerator<Uint8Array, void> {
    return streamUntilAborted(this.source, options, this.#link.signal);
  }

  /** Ends all reads under way with `reason`, and removes the listeners. Every reader must call this in the end. */
  leave(reason?: unknown): void {
    this.#leaving.abort(reason);
    this.#link.unlink();
  }
}

/** {@link ByteSource.slice}, which ends as soon as `signal` aborts. */
export function sliceOf(
  source: ByteSource,
  start: number,
  end: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return untilAborted(source.slice(start, end, { signal }), signal);
}

/** {@link ByteSource.stream}, which ends as soon as the signal aborts. `return()` ends it while a chunk is awaited. */
export function streamOf(
  source: Pick<ByteSource, "stream">,
  options: StreamOptions = {},
): LeavableIterator<Uint8Array> {
  const { signal, ...others } = options;
  return leavable(async function* (leaving) {
    const link = linkSignals(signal, leaving);
    try {
      yield* streamUntilAborted(source, others, link.signal);
    } finally {
      link.unlink();
    }
  });
}

async function* streamUntilAborted(
  source: Pick<ByteSource, "stream">,
  options: Omit<StreamOptions, "signal">,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  signal.throwIfAborted();
  const chunks = source.stream({ ...options, signal })[Symbol.asyncIterator]();
  let isIdle = true;
  try {
    for (;;) {
      signal.throwIfAborted();
      isIdle = false;
      const { done, value } = await untilAborted(chunks.next(), signal);
      isIdle = true;
      if (done === true) return;
      yield value;
    }
  } finally {
    const closed = Promise.resolve(chunks.return?.());
    // Closing waits for a read under way, which a source that ignores the signal may never end.
    if (isIdle) await closed;
    else closed.catch(() => {});
  }
}
