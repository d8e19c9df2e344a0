import type { ByteSource, StreamOptions } from "@tfxio/wire";

/** Bytes in memory that record how they are read. */
export interface ProbeSource extends ByteSource {
  /** Number of streams and slices that are still open. */
  numOpen(): number;
  /** Number of streams and slices opened so far. */
  numOpened(): number;
}

/** Called before each chunk that any probe delivers. */
export type PullHook = () => void;

/** Few enough for a long fixture, and enough for records to straddle chunks. */
const CHUNKS_PER_SOURCE = 13;

/** Options of a probe. */
export interface ProbeOptions {
  readonly onPull?: PullHook | undefined;
  /** Approximate number of chunks in a stream of the whole source. Default 13. */
  readonly numChunks?: number | undefined;
}

/** Delivers `bytes` in small chunks, each in a separate turn of the event loop, and honours the signal. */
export function createProbeSource(
  uri: string,
  bytes: Uint8Array,
  { onPull = () => {}, numChunks = CHUNKS_PER_SOURCE }: ProbeOptions = {},
): ProbeSource {
  const chunkLength = Math.max(1, Math.ceil(bytes.length / numChunks));
  let opened = 0;
  let ended = 0;

  async function* stream({
    start = 0,
    signal,
  }: StreamOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    opened++;
    try {
      for (let at = start; at < bytes.length; at += chunkLength) {
        await Promise.resolve();
        onPull();
        signal?.throwIfAborted();
        yield bytes.slice(at, at + chunkLength);
      }
      signal?.throwIfAborted();
    } finally {
      ended++;
    }
  }

  return {
    uri,
    byteLength: bytes.length,
    stream,
    async slice(start, end, { signal } = {}) {
      opened++;
      await Promise.resolve();
      onPull();
      ended++;
      signal?.throwIfAborted();
      return bytes.slice(start, end);
    },
    numOpen: () => opened - ended,
    numOpened: () => opened,
  };
}
