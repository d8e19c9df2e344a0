import path from "node:path";
import { importsOf } from "./imports.js";
import type { Resolved } from "./resolve.js";
import type { WorkspacePackage } from "./workspace.js";

/** A file that an entry loads directly or indirectly. */
export interface ReachableFile {
  /** Absolute path. */
  readonly file: string;
  readonly owner: WorkspacePackage;
  /** The files from the entry to this file, inclusive, each of which imports the next. Paths are relative to the root. */
  readonly trail: readonly string[];
  /** The run-time imports of this file, with their targets. */
  readonly imports: readonly { readonly specifier: string; readonly resolved: Resolved }[];
}

/**
 * Yields the files that an entry loads, nearest first, starting with the entry itself. It follows static and dynamic imports that
 * are relative, use the `imports` field, or name a workspace package. It ignores type-only imports.
 */
export function* reachableFiles(
  root: string,
  entry: { readonly file: string; readonly owner: WorkspacePackage },
  resolve: (specifier: string, from: string, owner: WorkspacePackage) => Resolved,
): Generator<ReachableFile> {
  const seen = new Set([entry.file]);
  const queue = [{ ...entry, trail: [path.relative(root, entry.file)] }];
  for (const { file, owner, trail } of queue) {
    const imports = importsOf(file)
      .filter(({ typeOnly }) => !typeOnly)
      .map(({ specifier }) => ({ specifier, resolved: resolve(specifier, file, owner) }));
    yield { file, owner, trail, imports };
    for (const { resolved } of imports) {
      if (resolved.kind !== "file" || seen.has(resolved.file)) continue;
      seen.add(resolved.file);
      queue.push({
        file: resolved.file,
        owner: resolved.owner,
        trail: [...trail, path.relative(root, resolved.file)],
      });
    }
  }
}
