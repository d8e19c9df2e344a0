import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import path from "node:path";

const packages = path.resolve(import.meta.dirname, "../..");

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly "@tfxio/source": string }>>;
  readonly imports?: Readonly<Record<string, { readonly "@tfxio/source": { readonly node: string } }>>;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
}

/** Returns the source file that `specifier` names in `importer`, or null for an external module. */
function resolve(specifier: string, importer: string): string | null {
  if (specifier.startsWith("."))
    return path.resolve(path.dirname(importer), specifier.replace(/\.js$/, ".ts"));
  const [own = ""] = path.relative(packages, importer).split(path.sep);
  if (specifier.startsWith("#")) {
    const folder = path.join(packages, own);
    return path.join(folder, manifest(folder).imports?.[specifier]?.["@tfxio/source"].node ?? "");
  }
  const [, name, subpath = ""] = /^@tfxio\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const folder = path.join(packages, name);
  return path.join(folder, manifest(folder).exports[`.${subpath}`]?.["@tfxio/source"] ?? "");
}

/** Returns the external packages that `entry` imports on Node. Dynamic imports count only if `dynamic` is true. */
function foreignModules(entry: string, follow: { readonly dynamic: boolean }): string[] {
  const foreign = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)"/gm);
    const calls = follow.dynamic ? source.matchAll(/\bimport\(\s*"([^"]+)"/g) : [];
    for (const [, specifier = ""] of [...statements, ...calls]) {
      const target = resolve(specifier, file);
      if (target === null) foreign.add(specifier.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1"));
      else visit(target);
    }
  };
  visit(entry);
  return [...foreign].filter((name) => !name.startsWith("node:")).sort();
}

const entry = path.join(packages, "formats-tfrecord/src/index.ts");

test("importing the package on Node loads no external package", () => {
  expect(foreignModules(entry, { dynamic: false })).toEqual([]);
});

test("the only external packages that the package can load are protobuf, Arrow and tinyglobby, not TensorFlow.js", () => {
  expect(foreignModules(entry, { dynamic: true })).toEqual([
    "@bufbuild/protobuf",
    "apache-arrow",
    "tinyglobby",
  ]);
});
