import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const packagesFolder = path.join(import.meta.dirname, "../../../packages");

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly node?: string; readonly default: string }>>;
}

const packages = readdirSync(packagesFolder).map((name) => {
  const folder = path.join(packagesFolder, name);
  return {
    folder,
    manifest: JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest,
  };
});
const entries = packages.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string" || target.node === undefined
      ? []
      : [
          {
            name: manifest.name + subpath.slice(1),
            bundle: path.join(folder, target.node),
            file: path.join(folder, target.default),
          },
        ],
  ),
);

function node(script: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, script), ...args],
    { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const built = entries.every(({ bundle }) => existsSync(bundle));
(built ? describe : describe.skip)("bundles for Node", () => {
  test("exist for every package except the umbrella", () => {
    const bundled = new Set(entries.map(({ bundle }) => path.dirname(bundle)));
    expect(bundled.size).toBe(packages.length - 1);
  });

  test.each(entries)(
    "of $name have the same exported names and class names as the entry file",
    ({ bundle, file }) => {
      expect(JSON.parse(node("compare-entries.mjs", bundle, file))).toEqual([]);
    },
  );

  test.each(entries)("of $name have a source map that points to existing files in src", ({ bundle }) => {
    const { sources } = JSON.parse(readFileSync(`${bundle}.map`, "utf8")) as { sources: string[] };
    const ours = sources.filter((source) => !source.startsWith("npm:@bufbuild/protobuf/"));
    expect(ours.filter((source) => !/^\.\.\/\.\.\/src\/.*\.ts$/.test(source))).toEqual([]);
    expect(ours.filter((source) => !existsSync(path.join(path.dirname(bundle), source)))).toEqual([]);
  });

  test("can exchange messages with @bufbuild/protobuf from npm", () => {
    expect(node("two-copies.mjs")).toBe("");
  });

  test("of @tfxio/schema come with the license notices of the bundled packages", () => {
    const file = path.join(packagesFolder, "schema/dist/node/THIRD-PARTY-NOTICES.txt");
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/Copyright 2008 Google Inc\./);
    expect(text).toMatch(/THIS SOFTWARE IS PROVIDED/);
    expect(text).toMatch(/Buf Technologies, Inc\.\n\nLicensed under the Apache License/);
  });

  test("reduce tfxio to fewer than 40 modules besides apache-arrow and its dependencies", () => {
    const modules = node("count-modules.mjs").split("\n");
    expect(modules.length).toBeGreaterThan(10);
    const peers = /\/node_modules\/(apache-arrow|flatbuffers|tslib)\//;
    // Without bundles, Node loads 550 modules, and each takes about half a millisecond.
    expect(modules.filter((url) => !peers.test(url)).length).toBeLessThan(40);
  });
});
