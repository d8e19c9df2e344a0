import { clippedRange } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { CHUNK_BYTES } from "./chunk-size.js";
import { SourceError } from "../errors.js";
import { sourceChanged } from "./source-changed.js";

/**
 * Creates a source that reads a Blob or File. Slices and chunks are read on demand, so a File may be larger than memory. If a
 * File has changed on disk since the user chose it, reads fail with `source-changed`.
 * @param uri Names the source in errors. Default: a File's name, otherwise `blob`.
 */
export function blobSource(blob: Blob, uri: string = (blob as Partial<File>).name ?? "blob"): ByteSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = await blob
      .slice(start, end)
      .arrayBuffer()
      .catch((cause: unknown) => {
        throw unreadable(uri, cause);
      });
    const expected = Math.min(end, blob.size) - start;
    if (bytes.byteLength === expected) return new Uint8Array(bytes);
    throw sourceChanged(uri, `${expected} bytes from byte ${start} on`, `${bytes.byteLength}`);
  };
  // A plain Blob never changes, so it needs no version.
  const { lastModified } = blob as Partial<File>;
  return {
    uri,
    byteLength: blob.size,
    ...(lastModified !== undefined && { version: `${blob.size}-${lastModified}` }),
    origin: blob,
    handsOverSlices: true,
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

function unreadable(uri: string, cause: unknown): SourceError {
  // The File API's error name for a file that has changed or disappeared since it was chosen.
  const hasChanged = (cause as { readonly name?: unknown } | null)?.name === "NotReadableError";
  const detail = hasChanged ? "it has changed or disappeared since it was chosen." : String(cause);
  return new SourceError("io-failed", `${uri} cannot be read: ${detail}`, {
    uri,
    cause,
    ...(hasChanged && { reason: "source-changed" }),
  });
}
