import type { Writable } from "node:stream";
import { type ByteTarget, onAbort, SourceError } from "@tfxio/wire";

/** Settings for writing bytes to a peer. */
export interface WritableSettings {
  /** Names the peer in errors. */
  readonly uri: string;
  readonly stallTimeoutMs: number;
  /** Aborts when the peer leaves, or when the pass is cancelled. */
  readonly signal: AbortSignal;
}

/** Size in bytes of the pieces that are written under a timeout. Small, so that even a slow peer can accept a piece in time. */
const TIMED_BYTES = 65_536;

/**
 * Returns a target that writes to a Node stream. A write resolves when the stream accepts more, so the stream's high-water mark
 * limits memory.
 */
export function writableTarget(writable: Writable, settings: WritableSettings): ByteTarget {
  const { uri, stallTimeoutMs, signal } = settings;
  let numUnsent = 0;
  const sent = (error?: Error | null): void => {
    if (error == null) numUnsent--;
  };
  const send = async (bytes: Uint8Array): Promise<void> => {
    signal.throwIfAborted();
    numUnsent++;
    if (writable.write(bytes, sent)) return;
    await taken(settings, (isTaken) => {
      writable.on("drain", isTaken);
      return () => writable.off("drain", isTaken);
    });
  };
  return {
    uri,
    async write(bytes) {
      // A stream reports only completed writes, and no partial progress.
      const step = stallTimeoutMs === Infinity ? bytes.length : TIMED_BYTES;
      for (let start = 0; start < bytes.length; start += step)
        await send(bytes.subarray(start, start + step));
    },
    async commit() {
      signal.throwIfAborted();
      // A reader may leave as soon as it has the end marker, before the stream is closed on this side.
      const mayLeave = (): boolean => numUnsent === 0;
      await taken({ ...settings, mayLeave }, (isTaken) => {
        // Ignore an error here: the stream also reports it with an event, and the signal then aborts.
        writable.end((error?: Error | null) => {
          if (error == null) isTaken();
        });
        return () => undefined;
      });
    },
    async discard() {
      writable.destroy();
    },
  };
}

interface TakenSettings extends WritableSettings {
  /** Returns true when an abort is no longer a failure. */
  readonly mayLeave?: () => boolean;
}

/**
 * Waits until the stream has accepted the written bytes.
 * @param subscribe Makes the stream call `isTaken` when it has accepted them. Returns a function that stops listening.
 */
function taken(
  { uri, stallTimeoutMs, signal, mayLeave }: TakenSettings,
  subscribe: (isTaken: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void): void => {
      stopListening();
      clearTimeout(timer);
      unsubscribe();
      settled();
    };
    const stalled = (): void => {
      const message = `Sending stopped: ${uri} did not accept the next bytes within ${stallTimeoutMs} ms.`;
      settle(() => reject(new SourceError("io-failed", message, { uri, reason: "client-stalled" })));
    };
    const unsubscribe = onAbort(signal, () => {
      settle(mayLeave?.() === true ? resolve : () => reject(signal.reason));
    });
    const timer = stallTimeoutMs === Infinity ? undefined : setTimeout(stalled, stallTimeoutMs);
    const stopListening = subscribe(() => settle(resolve));
  });
}
