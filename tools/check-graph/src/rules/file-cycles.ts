import path from "node:path";
import { importsOf } from "../imports.js";
import { createResolver } from "../resolve.js";
import type { Workspace } from "../workspace.js";

/**
 * Finds import cycles with a depth-first walk. Each cycle is a list of files in the order of their imports. The walk visits every
 * file once, so it may miss a cycle that shares files with another one. If there are cycles, it finds at least one.
 */
function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (file: string): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      cycles.push(trail.slice(start));
      return;
    }
    if (done.has(file)) return;
    trail.push(file);
    for (const next of edges.get(file) ?? []) visit(next);
    trail.pop();
    done.add(file);
  };
  for (const file of edges.keys()) visit(file);
  return cycles;
}

/** Finds import cycles among the files of each package. Type-only imports count too. */
export function fileCycleViolations(workspace: Workspace): string[] {
  const resolvers = [createResolver(workspace, "node"), createResolver(workspace, "browser")];
  return workspace.packages.flatMap((pkg) => {
    const edges = new Map(
      pkg.sourceFiles.map((file) => {
        const targets = importsOf(file).flatMap(({ specifier }) =>
          resolvers.flatMap((resolve) => {
            const resolved = resolve(specifier, file, pkg);
            return resolved.kind === "file" && resolved.owner === pkg ? [resolved.file] : [];
          }),
        );
        return [file, [...new Set(targets)]] as const;
      }),
    );
    return cyclesIn(edges).map((cycle) => {
      const names = [...cycle, ...cycle.slice(0, 1)].map((file) => path.relative(pkg.folder, file));
      return `${pkg.manifest.name}: files import each other: ${names.join(" → ")}`;
    });
  });
}
