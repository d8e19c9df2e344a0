import { linkSignals, onAbort, streamSource } from "@tfxio/wire";
import { isTfxioError, SourceError } from "@tfxio/wire/errors";
import type { OpenableEndpoint } from "./open-endpoint.js";

/** Time limits and retries of a connection. */
export interface ConnectionSettings {
  readonly connectTimeoutMs: number;
  /** `Infinity` means no limit. */
  readonly idleTimeoutMs: number;
  readonly retry: { readonly attempts: number; readonly delayMs: number };
}

/**
 * Yields the bytes of one pass over an endpoint. A connection that fails or ends before the first byte is retried while attempts
 * are left. After the first byte, a broken connection is an error, because a new connection would begin with the first row again.
 * Timeouts count only the time spent waiting for the endpoint, not the time in which the consumer is busy.
 * @throws {SourceError} `io-failed` (`connection`, `connection-timeout`, `connection-stalled`, `http-status`, `stream`).
 * @throws {RecordError} `truncated-record` (`connection-lost`).
 */
export async function* timedBytes(
  endpoint: OpenableEndpoint,
  settings: ConnectionSettings,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { delayMs } = settings.retry;
  const attempts = endpoint.isOnePass === true ? 1 : settings.retry.attempts;
  for (let attempt = 1; ; attempt++) {
    let hasBytes = false;
    try {
      for await (const chunk of connection(endpoint, settings, signal)) {
        hasBytes = true;
        yield chunk;
      }
      if (hasBytes || attempt >= attempts) return;
    } catch (error) {
      signal.throwIfAborted();
      const mayPass = isTfxioError(error, "io-failed", "truncated-record");
      if (hasBytes || attempt >= attempts || !mayPass) throw error;
    }
    await delayed(delayMs, signal);
  }
}

async function* connection(
  { uri, open }: OpenableEndpoint,
  settings: ConnectionSettings,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const expiry = new AbortController();
  const link = linkSignals(signal, expiry.signal);
  const watch = watchOf(uri, settings, (error) => expiry.abort(error));
  const opened = streamSource(async () => {
    watch.awaits("connection");
    const bytes = await open({ signal: link.signal });
    watch.awaits("bytes");
    return bytes;
  }, uri);
  const chunks = opened.stream({ signal: link.signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      watch.rests();
      if (done === true) return;
      yield value;
      watch.awaits("bytes");
    }
  } finally {
    watch.rests();
    // Also closes a socket that is still connecting.
    expiry.abort();
    link.unlink();
    await chunks.return?.();
  }
}

/** Limits the time until the next event. */
interface Watch {
  /** Starts the timeout for the event, in place of the running one. */
  awaits(event: "connection" | "bytes"): void;
  /** Stops the timeout. */
  rests(): void;
}

function watchOf(
  uri: string,
  { connectTimeoutMs, idleTimeoutMs }: ConnectionSettings,
  expire: (error: SourceError) => void,
): Watch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rests = (): void => clearTimeout(timer);
  return {
    rests,
    awaits(event) {
      rests();
      const isConnecting = event === "connection";
      const timeoutMs = isConnecting ? connectTimeoutMs : idleTimeoutMs;
      if (timeoutMs === Infinity) return;
      const [problem, reason] = isConnecting
        ? [`did not answer within ${timeoutMs} ms`, "connection-timeout"]
        : [`has sent nothing for ${timeoutMs} ms`, "connection-stalled"];
      timer = setTimeout(
        () => expire(new SourceError("io-failed", `${uri} ${problem}.`, { uri, reason })),
        timeoutMs,
      );
    },
  };
}

function delayed(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      resolve();
    }, delayMs);
    const unsubscribe = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
