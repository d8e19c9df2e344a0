import type { ByteSource, StreamOptions } from "@tfxio/wire";

/** A source in memory that counts its open streams and slices. */
export interface ProbeSource extends ByteSource {
  /** Returns the number of streams and slices that are open now. */
  numOpen(): number;
  /** Returns the number of streams and slices opened so far. */
  numOpened(): number;
}

/** A function that is called before each chunk or slice that a probe delivers. It may abort the read. */
export type PullHook = () => void;

/** Number of chunks per source: few enough to read long fixtures quickly, and enough for records to span chunks. */
const CHUNKS_PER_SOURCE = 13;

/** Options of a probe. */
export interface ProbeOptions {
  readonly onPull?: PullHook | undefined;
  /** Approximate number of chunks in a stream of the whole source. Default 13. */
  readonly numChunks?: number | undefined;
}

/** Creates a source that delivers `bytes` in small chunks, each after a microtask, and obeys the signal. */
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
