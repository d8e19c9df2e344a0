import { clippedRange } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { CHUNK_BYTES } from "./chunk-size.js";

/**
 * Creates a source over bytes in memory, which it borrows. Slices and chunks are views, never copies.
 * @param uri Names the source in errors. Default `bytes`.
 */
export function bytesSource(bytes: Uint8Array | ArrayBuffer, uri = "bytes"): ByteSource {
  // A Buffer also becomes a plain Uint8Array, because `Buffer.slice` returns a view where callers expect a copy.
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  return {
    uri,
    byteLength: view.length,
    origin: view,
    async slice(start, end, { signal } = {}) {
      const range = clippedRange(start, end, view.length);
      signal?.throwIfAborted();
      return view.subarray(range.start, range.end);
    },
    async *stream({ start = 0, signal } = {}) {
      for (let at = clippedRange(start, start).start; at < view.length; at += CHUNK_BYTES) {
        signal?.throwIfAborted();
        yield view.subarray(at, at + CHUNK_BYTES);
      }
      signal?.throwIfAborted();
    },
  };
}
