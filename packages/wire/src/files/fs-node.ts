import { lstat, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { SourceError } from "../errors.js";
import { fileError } from "./file-errors-node.js";

export { fileSource } from "./file-source-node.js";
export { fileTarget } from "./file-target-node.js";
export { fileIdentity, removeFile, renameFile } from "./settled-files-node.js";

/**
 * Creates a folder and its missing parents. An existing folder is left unchanged.
 * @throws {SourceError} `io-failed` (`file`), or `not-found` if a parent is not a folder.
 */
export async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw fileError(folder, cause);
  });
}

/**
 * Every glob contains at least one of these characters. For other patterns, the glob package is not loaded, which saves 10 ms.
 */
const MAY_BE_GLOB = /[*?[\]{}()!+@|\\]/;

/**
 * Finds the files that `pattern` names, sorted by name. A pattern without wildcards is returned as is, even if no such file
 * exists. If a file is named exactly like a glob, returns only that file. A glob matches no directories. From its first `**` on,
 * links to folders are not followed, because their files could be found twice.
 * @throws {SourceError} `not-found` (`no-match`) if no file matches a glob.
 */
export async function findFiles(pattern: string): Promise<readonly string[]> {
  if (!MAY_BE_GLOB.test(pattern)) return [pattern];
  const { glob, isDynamicPattern } = await import("tinyglobby");
  if (!isDynamicPattern(pattern)) return [pattern];
  const isFile = await stat(pattern).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (isFile) return [pattern];
  const found = await glob(pattern, { expandDirectories: false, absolute: path.isAbsolute(pattern) });
  const files = pattern.includes("**") ? await withoutLinkedFolders(pattern, found) : found;
  if (files.length === 0) {
    throw new SourceError("not-found", `No file matches ${JSON.stringify(pattern)}.`, {
      uri: pattern,
      reason: "no-match",
    });
  }
  return files.sort();
}

/** Drops the files below a symbolic link that `**` or a later part of the pattern matched. */
async function withoutLinkedFolders(pattern: string, files: readonly string[]): Promise<string[]> {
  const before = pattern.slice(0, pattern.lastIndexOf("/", pattern.indexOf("**")) + 1);
  const depthOf = (folder: string): number => folder.split(path.sep).length;
  const depthBefore = depthOf(path.resolve(before));
  const isLinked = new Map<string, Promise<boolean>>();
  const passesLink = async (folder: string): Promise<boolean> => {
    if (depthOf(folder) <= depthBefore) return false;
    let known = isLinked.get(folder);
    if (known === undefined) {
      known = lstat(folder).then(
        async (entry) => entry.isSymbolicLink() || passesLink(path.dirname(folder)),
        () => false,
      );
      isLinked.set(folder, known);
    }
    return known;
  };
  const areLinked = await Promise.all(files.map((file) => passesLink(path.dirname(path.resolve(file)))));
  return files.filter((_, index) => areLinked[index] !== true);
}
