import path from "node:path";
import { importsOf } from "../imports.js";
import { createResolver } from "../resolve.js";
import type { Workspace, WorkspacePackage } from "../workspace.js";

interface Step {
  readonly file: string;
  readonly owner: WorkspacePackage;
  readonly trail: readonly string[];
}

/**
 * Refuses a Node built-in that a browser would reach from a package's main entry: through relative imports, the
 * browser side of `imports`, and other packages of the workspace. Type-only imports do not run and are not followed.
 */
export function browserEntryViolations(workspace: Workspace): string[] {
  const resolve = createResolver(workspace, "browser");
  return workspace.packages
    .filter(({ group }) => group === "packages")
    .flatMap((pkg) => {
      const { name } = pkg.manifest;
      const entry = resolve(name, "", pkg);
      if (entry.kind !== "file") return [`${name}: has no main entry`];
      const violations: string[] = [];
      const seen = new Set([entry.file]);
      const queue: Step[] = [{ file: entry.file, owner: pkg, trail: [] }];
      for (const { file, owner, trail } of queue) {
        const here = [...trail, path.relative(workspace.root, file)];
        for (const { specifier, typeOnly } of importsOf(file)) {
          if (typeOnly) continue;
          const resolved = resolve(specifier, file, owner);
          if (resolved.kind === "builtin") {
            violations.push(`${name}: "${specifier}" is reachable from the main entry: ${here.join(" → ")}`);
          } else if (resolved.kind === "missing") {
            violations.push(`${here.at(-1)}: cannot follow "${specifier}" in a browser: ${resolved.detail}`);
          } else if (resolved.kind === "file" && !seen.has(resolved.file)) {
            seen.add(resolved.file);
            queue.push({ file: resolved.file, owner: resolved.owner, trail: here });
          }
        }
      }
      return violations;
    });
}
