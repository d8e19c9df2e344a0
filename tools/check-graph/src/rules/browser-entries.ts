import { reachableFiles } from "../reachable.js";
import { createResolver } from "../resolve.js";
import type { Workspace } from "../workspace.js";

/**
 * Finds Node built-ins that a browser would load with a package's main entry, and imports that do not resolve in a browser. Skips
 * packages that only Node can load.
 */
export function browserEntryViolations(workspace: Workspace): string[] {
  const resolve = createResolver(workspace, "browser");
  return workspace.packages
    .filter(({ group, manifest }) => group === "packages" && manifest.tfxio?.runsIn !== "node")
    .flatMap((pkg) => {
      const { name } = pkg.manifest;
      const entry = resolve(name, "", pkg);
      if (entry.kind !== "file") return [`${name}: has no main entry`];
      const violations: string[] = [];
      for (const { trail, imports } of reachableFiles(workspace.root, entry, resolve)) {
        for (const { specifier, resolved } of imports) {
          if (resolved.kind === "builtin") {
            violations.push(`${name}: "${specifier}" is reachable from the main entry: ${trail.join(" → ")}`);
          } else if (resolved.kind === "missing") {
            violations.push(`${trail.at(-1)}: cannot follow "${specifier}" in a browser: ${resolved.detail}`);
          }
        }
      }
      return violations;
    });
}
