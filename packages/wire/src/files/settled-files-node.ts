import { lstat, rename, rm, stat } from "node:fs/promises";
import { fileError, toFilePath } from "./file-errors-node.js";

/**
 * Renames a file atomically. Both names must be on the same file system. If a file named `to` exists, replaces it.
 * @returns false if the file `from` does not exist.
 * @throws {SourceError} `io-failed` (`file`), or `not-found` if the folder of `to` does not exist.
 */
export async function renameFile(from: string | URL, to: string | URL): Promise<boolean> {
  const [source, destination] = [toFilePath(from), toFilePath(to)];
  try {
    await rename(source, destination);
    return true;
  } catch (cause) {
    if (await isMissing(source)) return false;
    throw fileError(destination, cause);
  }
}

/** Returns true if `file` does not exist, or if one of its parents is itself a file. */
async function isMissing(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return false;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code));
  }
}

/**
 * Returns an identifier that is the same for all names of a file: symbolic and hard links, relative and absolute paths. Undefined
 * if the file does not exist or cannot be examined.
 */
export async function fileIdentity(file: string | URL): Promise<string | undefined> {
  const found = await stat(toFilePath(file), { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

/** Removes a file if it exists. @throws {SourceError} `io-failed` (`file`). */
export async function removeFile(file: string | URL): Promise<void> {
  const path = toFilePath(file);
  await rm(path, { force: true }).catch((cause: unknown) => {
    throw fileError(path, cause);
  });
}
