import { readFileSync } from "node:fs";
import path from "node:path";

const packages = path.resolve(import.meta.dirname, "../..");

/** A target of `exports` or `imports` in a package.json: a file, or targets by condition. */
type Target = string | { readonly [condition: string]: Target };

interface Manifest {
  readonly exports: Readonly<Record<string, Target>>;
  readonly imports?: Readonly<Record<string, Target>>;
}

/** Returns the file that Node selects: that of the first matching condition. */
function published(target: Target | undefined): string | undefined {
  if (typeof target !== "object") return target;
  const conditions = Object.keys(target).filter((name) => ["node", "import", "default"].includes(name));
  return conditions.map((name) => published(target[name])).find((file) => file !== undefined);
}

/** Returns the built file that `specifier` names in `importer`; undefined for modules outside this workspace. */
function fileOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith(".")) return path.resolve(path.dirname(importer), specifier);
  const [own = ""] = path.relative(packages, importer).split(path.sep);
  const [, name = own, subpath = ""] = /^@tfxio\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const isOwn = specifier.startsWith("#");
  if (!isOwn && !specifier.startsWith("@tfxio/")) return undefined;
  const folder = path.join(packages, name);
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
  const file = published(isOwn ? manifest.imports?.[specifier] : manifest.exports[`.${subpath}`]);
  if (file === undefined) throw new TypeError(`${importer}: "${specifier}" leads nowhere`);
  return path.join(folder, file);
}

/** Returns the built main entry that Node selects for the package in the folder `packages/<name>`. */
export function builtEntry(name: string): string {
  const folder = path.join(packages, name);
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
  return path.join(folder, published(manifest.exports["."]) ?? "");
}

/**
 * Returns the sorted names of the external packages that Node loads with the built module `entry`: those that static imports
 * reach, directly or through packages of this workspace.
 * @param planted Lines to add to built files, by path.
 */
export function packagesReached(entry: string, planted: ReadonlyMap<string, string> = new Map()): string[] {
  const reached = new Set<string>();
  const waiting = [entry];
  const seen = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const code = `${readFileSync(file, "utf8")}\n${planted.get(file) ?? ""}`;
    for (const [, specifier = ""] of code.matchAll(
      /^(?:import|export)\b(?:[^;"']*?\bfrom)?\s*["']([^"']+)["']/gm,
    )) {
      const target = fileOf(specifier, file);
      if (target !== undefined) waiting.push(target);
      else if (!specifier.startsWith("node:"))
        reached.add(specifier.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1"));
    }
  }
  return [...reached].sort();
}
