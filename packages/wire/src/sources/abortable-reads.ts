import type { ByteSource, StreamOptions } from "./byte-source.js";
import { type CancellableIterator, cancellable } from "../cancellable.js";
import { type LinkedSignal, linkSignals } from "../linked-signal.js";
import { untilAborted } from "../until-aborted.js";

/**
 * All reads of a source by one reader. Each read ends as soon as a signal aborts or the reader calls {@link leave}, even if the
 * source ignores its signal. Data that the source delivers afterwards is dropped.
 */
export class AbortableReads {
  readonly source: ByteSource;
  readonly #leaving = new AbortController();
  readonly #link: LinkedSignal;

  constructor(source: ByteSource, ...signals: readonly (AbortSignal | undefined)[]) {
    this.source = source;
    this.#link = linkSignals(...signals, this.#leaving.signal);
  }

  /** If a signal has aborted, throws its reason. After {@link leave}, throws the reason passed to it. */
  throwIfAborted(): void {
    this.#link.signal.throwIfAborted();
  }

  /** See {@link ByteSource.slice}. */
  slice(start: number, end: number): Promise<Uint8Array> {
    return sliceOf(this.source, start, end, this.#link.signal);
  }

  /**
   * See {@link ByteSource.stream}. Leaving the loop closes the source's stream and, unless a chunk is pending, waits until it is
   * closed.
   */
  stream(options: Omit<StreamOptions, "signal"> = {}): AsyncGenerator<Uint8Array, void> {
    return streamUntilAborted(this.source, options, this.#link.signal);
  }

  /** Ends all reads in progress with `reason` and removes the listeners. Every reader must call this when it is done. */
  leave(reason?: unknown): void {
    this.#leaving.abort(reason);
    this.#link.unlink();
  }
}

/** Like {@link ByteSource.slice}, but rejects as soon as `signal` aborts. */
export function sliceOf(
  source: ByteSource,
  start: number,
  end: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return untilAborted(source.slice(start, end, { signal }), signal);
}

/** Like {@link ByteSource.stream}, but rejects as soon as the signal aborts. `return()` works even while a chunk is pending. */
export function streamOf(
  source: Pick<ByteSource, "stream">,
  options: StreamOptions = {},
): CancellableIterator<Uint8Array> {
  const { signal, ...others } = options;
  return cancellable(async function* (leaving) {
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
    // Closing waits for a read in progress, which may never end if the source ignores its signal.
    if (isIdle) await closed;
    else closed.catch(() => {});
  }
}
