import { clippedRange } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { CHUNK_BYTES } from "./chunk-size.js";
import { SourceError } from "./errors.js";

/**
 * A source over a Blob or File. Each slice and chunk is read when asked for, so a File larger than memory is fine.
 * @param uri Names the source in errors; a File's name, or `blob`, by default.
 */
export function blobSource(blob: Blob, uri: string = (blob as Partial<File>).name ?? "blob"): ByteSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    try {
      return new Uint8Array(await blob.slice(start, end).arrayBuffer());
    } catch (cause) {
      // A File whose content has changed or gone since it was picked.
      throw new SourceError("io-failed", `${uri} cannot be read: ${String(cause)}`, { uri, cause });
    }
  };
  return {
    uri,
    byteLength: blob.size,
    origin: blob,
    async slice(start, end, { signal } = {}) {
      const range = clippedRange(start, end, blob.size);
      signal?.throwIfAborted();
      return read(range.start, range.end);
    },
    async *stream({ start = 0, signal } = {}) {
      for (let at = clippedRange(start, start).start; at < blob.size; at += CHUNK_BYTES) {
        signal?.throwIfAborted();
        yield await read(at, at + CHUNK_BYTES);
      }
      signal?.throwIfAborted();
    },
  };
}
