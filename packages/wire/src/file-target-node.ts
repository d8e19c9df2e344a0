import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { finished, pipeline } from "node:stream/promises";
import type { Compression } from "./compression.js";
import { SourceError } from "./errors.js";
import { directoryError, fileError, toFilePath } from "./file-errors-node.js";
import type { DeflateOptions } from "./zlib-format.js";
import { createDeflater } from "./zlib-node.js";

/** A file in the making, under a temporary name beside its final one. */
export interface FileTarget {
  /** The final path. */
  readonly path: string;
  /** Resolves when the chunk is on its way to the file and the next may come. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the file, still under its temporary name. Returns its size. */
  finish(): Promise<number>;
  /** Gives the finished file its final name, in place of a file that may have it. */
  commit(): Promise<void>;
  /** Removes the file, whatever its state. Never rejects. */
  discard(): Promise<void>;
}

/**
 * @throws {SourceError} `not-found` when the folder does not exist, `io-failed`. {@link ArgumentError}
 * `invalid-argument` (`directory`).
 */
export async function createFileTarget(
  target: string,
  compression: Compression,
  options: DeflateOptions,
): Promise<FileTarget> {
  const finalPath = toFilePath(target);
  const fail = (cause: unknown): never => {
    throw fileError(finalPath, cause);
  };
  const isDirectory = await stat(finalPath).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isDirectory) throw directoryError(finalPath);
  const name = `.${path.basename(finalPath)}.${randomUUID()}.tmp`;
  const temporaryPath = path.join(path.dirname(finalPath), name);
  const handle = await open(temporaryPath, "wx").catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") return fail(cause);
    const folder = path.dirname(finalPath);
    throw new SourceError("not-found", `The folder ${folder} of ${finalPath} does not exist.`, {
      uri: folder,
      cause,
    });
  });
  const file = handle.createWriteStream();
  const deflater = compression === "none" ? null : createDeflater(compression, options);
  const head = deflater ?? file;
  const done = deflater === null ? finished(file) : pipeline(deflater, file);
  // Whoever writes or finishes next hears of it.
  done.catch(() => {});
  let isCommitted = false;

  return {
    path: finalPath,
    async write(chunk) {
      const written = new Promise<void>((resolve, reject) => {
        head.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      // A write into a stream that fails meanwhile may never be answered.
      await Promise.race([written, done]).catch(fail);
    },
    async finish() {
      head.end();
      await done.catch(fail);
      return file.bytesWritten;
    },
    async commit() {
      await rename(temporaryPath, finalPath).catch(fail);
      isCommitted = true;
    },
    async discard() {
      head.destroy();
      file.destroy();
      if (!file.closed) await once(file, "close").catch(() => {});
      await rm(isCommitted ? finalPath : temporaryPath, { force: true }).catch(() => {});
    },
  };
}
