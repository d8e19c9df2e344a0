import { type FileHandle, open, stat } from "node:fs/promises";
import path from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { clippedRange } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { CHUNK_BYTES } from "./chunk-size.js";
import { SourceError } from "./errors.js";
import { directoryError, fileError, toFilePath } from "./file-errors-node.js";

export { createFileTarget } from "./file-target-node.js";

/**
 * A source over a file. Opened for each slice and each stream, and closed at its end; a stream reads one chunk ahead.
 * @param file A path, never a glob, or a `file:` URL. A path is the source's `uri`, as given.
 * @throws {SourceError} `not-found`, `io-failed`. {@link ArgumentError} `invalid-argument` (`directory`).
 */
export async function fileSource(file: string | URL): Promise<ByteSource> {
  const uri = String(file);
  const filePath = toFilePath(file);
  const byteLength = await fileLength(filePath, uri);
  return {
    uri,
    byteLength,
    origin: uri,
    async slice(start, end, { signal } = {}) {
      const range = clippedRange(start, end, byteLength);
      signal?.throwIfAborted();
      const handle = await openFile(filePath, uri);
      try {
        const bytes = new Uint8Array(range.end - range.start);
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, range.start + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      } catch (cause) {
        throw fileError(uri, cause);
      } finally {
        await handle.close();
      }
    },
    async *stream({ start = 0, signal, reuseChunks = false } = {}) {
      let position = clippedRange(start, start).start;
      signal?.throwIfAborted();
      const handle = await openFile(filePath, uri);
      // The chunk before the one that is out.
      let spare: ArrayBufferLike | undefined;
      let ahead = readChunk(handle, position, uri, spare);
      try {
        for (;;) {
          const chunk = await ahead;
          signal?.throwIfAborted();
          if (chunk.length === 0) return;
          position += chunk.length;
          ahead = readChunk(handle, position, uri, spare);
          if (reuseChunks) spare = chunk.buffer;
          // Awaited one turn later, or never when the loop is left.
          ahead.catch(() => {});
          yield chunk;
        }
      } finally {
        // Waits for the read that is under way.
        await handle.close();
      }
    },
  };
}

/**
 * Files that `pattern` names, sorted by name: the one of exactly this name if it exists, else those that match it as a
 * glob, never directories.
 * @throws {SourceError} `not-found` when there are none. {@link ArgumentError} `invalid-argument` (`directory`).
 */
export async function findFiles(pattern: string): Promise<readonly string[]> {
  if (!isDynamicPattern(pattern)) return [pattern];
  const isFile = await stat(pattern).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (isFile) return [pattern];
  const files = await glob(pattern, { expandDirectories: false, absolute: path.isAbsolute(pattern) });
  if (files.length === 0) {
    throw new SourceError("not-found", `No file matches ${JSON.stringify(pattern)}.`, {
      uri: pattern,
      reason: "no-match",
    });
  }
  return files.sort();
}

async function fileLength(filePath: string, uri: string): Promise<number> {
  const entry = await stat(filePath).catch((cause: unknown) => {
    throw fileError(uri, cause);
  });
  if (entry.isDirectory()) throw directoryError(uri);
  // Pipes and devices cannot be read again, which a source promises.
  if (!entry.isFile())
    throw new SourceError("io-failed", `${uri} is no regular file.`, { uri, reason: "file" });
  return entry.size;
}

function openFile(filePath: string, uri: string): Promise<FileHandle> {
  return open(filePath, "r").catch((cause: unknown) => {
    throw fileError(uri, cause);
  });
}

/** A chunk from `position` on, in `spare` or new memory; empty at the end of the file. */
async function readChunk(
  handle: FileHandle,
  position: number,
  uri: string,
  spare: ArrayBufferLike | undefined,
): Promise<Uint8Array> {
  try {
    // Not zeroed, which would cost a tenth of the read; only what was read is handed out.
    const buffer = spare ?? Buffer.allocUnsafeSlow(CHUNK_BYTES).buffer;
    const { bytesRead } = await handle.read(new Uint8Array(buffer), 0, CHUNK_BYTES, position);
    return new Uint8Array(buffer, 0, bytesRead);
  } catch (cause) {
    throw fileError(uri, cause);
  }
}
