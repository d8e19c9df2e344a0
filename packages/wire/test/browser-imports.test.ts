import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = path.join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly imports: Record<string, { readonly "@tfxio/source": Record<string, string> }>;
  readonly exports: Record<string, { readonly "@tfxio/source"?: string }>;
};

/** Returns the specifiers that `file` imports at run time, excluding type-only imports. */
function imports(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"]*?\sfrom\s+)?"([^"]+)";/gms);
  const calls = source.matchAll(/\bimport\("([^"]+)"\)/g);
  return [...statements, ...calls].map((match) => match[1]!);
}

/** Returns all modules that `entry` reaches under `condition`, and all imports that are neither relative nor mapped. */
function walk(entry: string, condition: "node" | "default"): { files: Set<string>; foreign: Set<string> } {
  const files = new Set<string>();
  const foreign = new Set<string>();
  const waiting = [path.join(root, entry)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of imports(file)) {
      const mapped = manifest.imports[name]?.["@tfxio/source"][condition];
      if (mapped !== undefined) waiting.push(path.join(root, mapped));
      else if (name.startsWith("."))
        waiting.push(path.join(path.dirname(file), name.replace(/\.js$/, ".ts")));
      else foreign.add(name);
    }
  }
  return { files, foreign };
}

const entries = Object.values(manifest.exports).flatMap((target) => target["@tfxio/source"] ?? []);

describe("module imports", () => {
  test.each(entries)("of %s lead only to @tfxio/wire files and to pako in a browser", (entry) => {
    expect(["pako"]).toEqual(expect.arrayContaining([...walk(entry, "default").foreign]));
  });

  test("of src/index.ts lead to Node modules and tinyglobby in Node, and to more than 20 @tfxio/wire files in a browser", () => {
    expect([...walk("src/index.ts", "node").foreign]).toEqual(
      expect.arrayContaining(["node:fs/promises", "node:zlib", "tinyglobby"]),
    );
    // Shows that the test above does follow imports.
    expect(walk("src/index.ts", "default").files.size).toBeGreaterThan(20);
  });
});
