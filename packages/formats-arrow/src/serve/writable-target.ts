import type { Writable } from "node:stream";
import { type ByteTarget, onAbort, SourceError } from "@tfxio/wire";

/** How bytes go out. */
export interface WritableSettings {
  /** Names the peer in errors. */
  readonly uri: string;
  readonly stallTimeoutMs: number;
  /** Aborted when nobody takes the bytes any more. */
  readonly signal: AbortSignal;
}

/** Bytes for a Node stream. A write is done when the stream takes more: nothing piles up beyond its high-water mark. */
export function writableTarget(
  writable: Writable,
  { uri, stallTimeoutMs, signal }: WritableSettings,
): ByteTarget {
  let numUnsent = 0;
  const sent = (error?: Error | null): void => {
    if (error == null) numUnsent--;
  };
  return {
    uri,
    async write(bytes) {
      signal.throwIfAborted();
      numUnsent++;
      if (!writable.write(bytes, sent)) await drained(writable, { uri, stallTimeoutMs, signal });
    },
    async commit() {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        // A reader may leave as soon as it has the end marker, before the stream is closed on this side.
        const letGo = onAbort(signal, () => (numUnsent === 0 ? resolve() : reject(signal.reason)));
        writable.end(() => {
          letGo();
          resolve();
        });
      });
    },
    async discard() {
      writable.destroy();
    },
  };
}

function drained(writable: Writable, { uri, stallTimeoutMs, signal }: WritableSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void): void => {
      writable.off("drain", taken);
      clearTimeout(timer);
      letGo();
      settled();
    };
    const taken = (): void => settle(resolve);
    const stalled = (): void => {
      const message = `${uri} has taken no byte for ${stallTimeoutMs} ms.`;
      settle(() => reject(new SourceError("io-failed", message, { uri, reason: "client-stalled" })));
    };
    const letGo = onAbort(signal, () => settle(() => reject(signal.reason)));
    const timer = stallTimeoutMs === Infinity ? undefined : setTimeout(stalled, stallTimeoutMs);
    writable.on("drain", taken);
  });
}
