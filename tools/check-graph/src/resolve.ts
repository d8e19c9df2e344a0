import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import type { ExportTarget, Workspace, WorkspacePackage } from "./workspace.js";

/** The target of a module specifier. */
export type Resolved =
  | { readonly kind: "file"; readonly file: string; readonly owner: WorkspacePackage }
  | { readonly kind: "builtin"; readonly name: string }
  | { readonly kind: "external"; readonly packageName: string }
  | { readonly kind: "missing"; readonly detail: string };

/** Returns the npm package of a bare specifier. For example, that of `@scope/name/sub` is `@scope/name`. */
export function packageNameOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/**
 * Returns the target that Node would choose: the first one, in key order, for which every condition is `default` or a member of
 * `conditions`.
 */
function pick(target: ExportTarget | undefined, conditions: ReadonlySet<string>): string | undefined {
  if (target === undefined || target === null) return undefined;
  if (typeof target === "string") return target;
  for (const [condition, inner] of Object.entries(target)) {
    if (condition !== "default" && !conditions.has(condition)) continue;
    const found = pick(inner, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the source file for a module path, preferably a TypeScript file; undefined if there is no file. */
function sourceFile(base: string): string | undefined {
  const candidates = [
    base.replace(/\.([cm]?)js(x?)$/, ".$1ts$2"),
    base,
    `${base}.ts`,
    path.join(base, "index.ts"),
  ];
  return candidates.find((candidate) => existsSync(candidate) && path.extname(candidate) !== "");
}

/** Creates a function that resolves specifiers to source files (condition `@tfxio/source`), for browsers or for Node. */
export function createResolver(
  workspace: Workspace,
  platform: "browser" | "node",
): (specifier: string, from: string, owner: WorkspacePackage) => Resolved {
  const conditions = new Set(["@tfxio/source", platform, "import"]);
  const byName = new Map(workspace.packages.map((pkg) => [pkg.manifest.name, pkg]));

  const inPackage = (
    map: Readonly<Record<string, ExportTarget>> | undefined,
    key: string,
    pkg: WorkspacePackage,
  ): Resolved => {
    const target = pick(map?.[key], conditions);
    const file = target === undefined ? undefined : sourceFile(path.join(pkg.folder, target));
    if (file === undefined)
      return { kind: "missing", detail: `${pkg.manifest.name} does not offer "${key}"` };
    return { kind: "file", file, owner: pkg };
  };

  return (specifier, from, owner) => {
    if (isBuiltin(specifier)) return { kind: "builtin", name: specifier };
    if (specifier.startsWith(".")) {
      const file = sourceFile(path.join(path.dirname(from), specifier));
      return file === undefined
        ? { kind: "missing", detail: `no file for "${specifier}"` }
        : { kind: "file", file, owner };
    }
    if (specifier.startsWith("#")) return inPackage(owner.manifest.imports, specifier, owner);
    const packageName = packageNameOf(specifier);
    const pkg = byName.get(packageName);
    if (pkg === undefined) return { kind: "external", packageName };
    return inPackage(pkg.manifest.exports, `.${specifier.slice(packageName.length)}`, pkg);
  };
}
