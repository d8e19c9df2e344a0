import type { Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { ByteTarget } from "../targets/byte-target.js";
import { SourceError } from "../errors.js";
import { directoryError, fileError, irregularError, toFilePath } from "./file-errors-node.js";
import { sweepTemporaryFiles, temporaryPathOf } from "./temporary-file-node.js";

/**
 * Creates a target that writes to a temporary file beside the final file. `commit` gives the temporary file its final name. If
 * `file` is a symbolic link, the link is kept and the file that it points to is replaced. The new file gets the mode of the
 * replaced file. `discard` also removes a committed file. `fileTarget` first removes temporary files left for the same file by
 * dead processes of this machine.
 * @param file Path or `file:` URL. Its folder must exist.
 * @throws {SourceError} `not-found` if the folder does not exist, `io-failed` (`file`) if the file cannot be written or is a
 *   pipe, socket or device.
 * @throws {ArgumentError} `invalid-argument` (`directory`) if `file` is a directory.
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
  /** Status of the file at `finalPath`, or undefined if there is none. */
  readonly replaced: Stats | undefined;
}

/** Finds the file to write, which need not exist yet: `file` itself or, if it is a symbolic link, the file that it points to. */
async function destinationOf(file: string): Promise<Destination> {
  if (/[/\\]$/.test(file)) throw directoryError(file);
  let finalPath = file;
  // Linux follows at most 40 links.
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
  throw new SourceError(
    "io-failed",
    `${file} leads through more than 40 symbolic links, probably in a loop.`,
    {
      uri: file,
      reason: "file",
    },
  );
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
