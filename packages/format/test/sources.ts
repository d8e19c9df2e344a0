import type { ByteSource, StreamOptions } from "@tfxio/wire";

/** Text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes of several arrays, one after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

/** A source that delivers chunks of this size, and writes over each one once the next is asked for, where it may. */
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
