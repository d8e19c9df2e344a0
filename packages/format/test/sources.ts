import type { ByteSource, StreamOptions } from "@tfxio/wire";

/** Encodes text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Concatenates byte arrays. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

/**
 * Creates a source that streams chunks of `chunkBytes` bytes. A stream with `reuseChunks` overwrites each chunk when the next one
 * is requested.
 */
export function chunked(bytes: Uint8Array, chunkBytes: number, uri = "memory"): ByteSource {
  async function* stream({ start = 0, signal, reuseChunks = false }: StreamOptions = {}) {
    for (let at = start; at < bytes.length; at += chunkBytes) {
      await Promise.resolve();
      signal?.throwIfAborted();
      const chunk = bytes.slice(at, at + chunkBytes);
      yield chunk;
      if (reuseChunks) chunk.fill(0xff);
    }
  }
  return {
    uri,
    byteLength: bytes.length,
    slice: async (start, end) => bytes.slice(start, end),
    stream,
  };
}
