import { stat } from "node:fs/promises";
import path from "node:path";
import { SourceError } from "../errors.js";

export { fileSource } from "./file-source-node.js";
export { fileTarget } from "./file-target-node.js";

/** Every glob has one of these. Programs without globs need not load the package, whose eight files take 10 ms. */
const MAY_BE_GLOB = /[*?[\]{}()!+@|\\]/;

/**
 * Files that `pattern` names, sorted by name: the one of exactly this name if it exists, else those that match it as a
 * glob, never directories.
 * @throws {SourceError} `not-found` when there are none. {@link ArgumentError} `invalid-argument` (`directory`).
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
  const files = await glob(pattern, { expandDirectories: false, absolute: path.isAbsolute(pattern) });
  if (files.length === 0) {
    throw new SourceError("not-found", `No file matches ${JSON.stringify(pattern)}.`, {
      uri: pattern,
      reason: "no-match",
    });
  }
  return files.sort();
}
