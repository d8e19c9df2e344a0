import { stat } from "node:fs/promises";
import path from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { SourceError } from "../errors.js";

export { fileSource } from "./file-source-node.js";
export { fileTarget } from "./file-target-node.js";

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
