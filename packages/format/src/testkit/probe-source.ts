import type { ByteSource, StreamOptions } from "@tfxio/wire";

/** Bytes in memory that tell how they are read. */
export interface ProbeSource extends ByteSource {
  /** Streams and slices begun and not yet ended. */
  numOpen(): number;
  /** Streams and slices begun so far. */
  numOpened(): number;
}

/** Called before each chunk that any probe delivers. */
export type PullHook = () => void;

/** Few enough chunks for a long fixture, enough of them for records to straddle their bounds. */
const CHUNKS_PER_SOURCE = 13;

/** How a probe delivers its bytes. */
export interface ProbeOptions {
  readonly onPull?: PullHook | undefined;
  /** Chunks in a stream of the whole source, about. Default 13. */
  readonly numChunks?: number | undefined;
}

/** Delivers `bytes` in small chunks, each in a turn of its own, and honours the signal as sources must. */
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
