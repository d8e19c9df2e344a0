import { isBuiltin } from "node:module";
import path from "node:path";
import { importsOf } from "../imports.js";
import { packageNameOf } from "../resolve.js";
import type { Workspace } from "../workspace.js";

/** Finds imports in `src/` whose package is undeclared or only in devDependencies. Type-only imports count too. */
export function declaredImportViolations({ root, packages }: Workspace): string[] {
  return packages.flatMap(({ manifest, sourceFiles }) => {
    const shipped = new Set([
      manifest.name,
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
    ]);
    return sourceFiles.flatMap((file) =>
      importsOf(file).flatMap(({ specifier }) => {
        if (/^[.#]/.test(specifier) || isBuiltin(specifier)) return [];
        const name = packageNameOf(specifier);
        if (shipped.has(name)) return [];
        const state = name in (manifest.devDependencies ?? {}) ? "only in devDependencies" : "not declared";
        return [
          `${path.relative(root, file)}: imports "${specifier}", which is ${state} in ${manifest.name}`,
        ];
      }),
    );
  });
}
