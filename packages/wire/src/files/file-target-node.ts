import type { Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { ByteTarget } from "../targets/byte-target.js";
import { SourceError } from "../errors.js";
import { directoryError, fileError, irregularError, toFilePath } from "./file-errors-node.js";
import { sweepTemporaryFiles, temporaryPathOf } from "./temporary-file-node.js";

/**
 * A file in the making, under a temporary name beside its final one; `uri` is the path. A symbolic link stays, and the
 * file that it points to is replaced. A file that is replaced keeps its mode. What killed processes left of their writes
 * to the same file is removed. `discard` also removes a file that was committed.
 * @param file Path or `file:` URL; its folder must exist.
 * @throws {SourceError} `not-found` when the folder does not exist, `io-failed` (`file`), also for a pipe or device.
 * {@link ArgumentError} `invalid-argument` (`directory`).
 */
export async function fileTarget(file: string | URL): Promise<ByteTarget> {
  const uri = toFilePath(file);
  const fail = (cause: unknown): never => {
    throw fileError(uri, cause);
  };
  const { finalPath, replaced } = await destinationOf(uri).catch(fail);
  await sweepTemporaryFiles(finalPath);
  const temporaryPath = temporaryPathOf(finalPath);
  const handle = await open(temporaryPath, "wx").catch((cause: unknown) => fail(cause));
  if (replaced !== undefined) {
    await handle.chmod(replaced.mode & 0o7777).catch(async (cause: unknown) => {
      await handle.close();
      await rm(temporaryPath, { force: true });
      fail(cause);
    });
  }
  let committedPath: string | undefined;
  const commitTo = async (target: string): Promise<void> => {
    await handle.close().catch(fail);
    await rename(temporaryPath, target).catch(fail);
    committedPath = target;
  };
  return {
    uri,
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        at += (await handle.write(bytes, at).catch(fail)).bytesWritten;
      }
    },
    commit: () => commitTo(finalPath),
    async commitAs(other) {
      await commitTo((await destinationOf(toFilePath(other)).catch(fail)).finalPath);
    },
    async discard() {
      await closed(handle);
      await rm(committedPath ?? temporaryPath, { force: true }).catch(() => {});
    },
  };
}

interface Destination {
  readonly finalPath: string;
  /** The file that has this name now. */
  readonly replaced: Stats | undefined;
}

/** Where the bytes go: `file` itself, or what its symbolic links point to, which need not exist yet. */
async function destinationOf(file: string): Promise<Destination> {
  if (/[/\\]$/.test(file)) throw directoryError(file);
  let finalPath = file;
  // As many links as Linux follows.
  for (let numLinks = 0; numLinks <= 40; numLinks++) {
    const folder = await realpath(path.dirname(finalPath)).catch((cause: unknown) => {
      throw folderError(path.dirname(finalPath), finalPath, cause);
    });
    finalPath = path.join(folder, path.basename(finalPath));
    const entry = await lstat(finalPath).catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw cause;
    });
    if (entry?.isDirectory()) throw directoryError(file);
    if (entry === undefined || entry.isFile()) return { finalPath, replaced: entry };
    if (!entry.isSymbolicLink()) throw irregularError(file);
    finalPath = path.resolve(folder, await readlink(finalPath));
  }
  throw new SourceError("io-failed", `${file} is a symbolic link that leads back to itself.`, {
    uri: file,
    reason: "file",
  });
}

function folderError(folder: string, file: string, cause: unknown): unknown {
  if ((cause as NodeJS.ErrnoException).code !== "ENOENT") return cause;
  return new SourceError("not-found", `The folder ${folder} of ${file} does not exist.`, {
    uri: folder,
    cause,
  });
}

function closed(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => {});
}
