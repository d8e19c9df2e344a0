// node ../../tools/bundle/bundle.mjs, in the folder of a package that `tsc` has built: joins its files into the few that
// the `node` conditions of its package.json name. Why: docs/adr/0016-bundles-for-node.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/**
 * @typedef {{
 *   exports: Record<string, string | { node?: string, default: string }>,
 *   dependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   tfxio?: { nodeEntries?: Record<string, string>, nodeInlines?: string[] },
 * }} Manifest
 */

/** @type {Manifest} */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const folder = path.join("dist", "node");

/** Bundle → the file of `tsc` that it starts from: entries of the package, and `nodeEntries`, those of its threads. */
const entries = [
  ...Object.values(manifest.exports).flatMap((target) =>
    typeof target === "object" && target.node !== undefined ? [[target.node, target.default]] : [],
  ),
  ...Object.entries(manifest.tfxio?.nodeEntries ?? {}),
];

/** Dependencies that become part of the bundle. */
const inlined = manifest.tfxio?.nodeInlines ?? [];

const { outputFiles, metafile } = await build({
  // All in one folder, at the depth of the rooms in `dist`: a URL relative to import.meta.url holds wherever code ends up.
  entryPoints: entries.map(([out = "", file = ""]) => ({ in: file, out: path.basename(out, ".js") })),
  outdir: folder,
  bundle: true,
  // What several entries share is in a file of its own, so that no class exists twice.
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).flatMap((name) =>
    inlined.includes(name) ? [] : [name, `${name}/*`],
  ),
  // These maps lead to `src`, which is published: esbuild follows those that `tsc` wrote.
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
  metafile: true,
  write: false,
});

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { path: file, text } of outputFiles) {
  writeFileSync(file, file.endsWith(".js") ? withNames(text) : withoutStore(text));
}
if (inlined.length > 0) writeFileSync(path.join(folder, "THIRD-PARTY-NOTICES.txt"), notices());

/**
 * esbuild calls a class that refers to itself `_Name`, which users would see in consoles. Its own `keepNames` would wrap
 * every function, also those that are made in loops. What is added ends a line, so that maps stay right.
 * @param {string} code
 */
function withNames(code) {
  return code.replaceAll(
    /^var (\w+) = class _\1( extends \w+)? \{$/gm,
    '$& static { Object.defineProperty(this, "name", { value: "$1", configurable: true }); }',
  );
}

/**
 * A source map without the place of dependencies on this machine.
 * @param {string} map
 */
function withoutStore(map) {
  return map.replaceAll(/"[^"]*\/node_modules\/((?:@[^/"]+\/)?[^/"]+\/[^"]*)"/g, '"npm:$1"');
}

/** The head of every inlined file, which has its copyright and licence. */
function notices() {
  const files = Object.keys(metafile.inputs).filter((file) => file.includes("/node_modules/"));
  const heads = files.map((file) => /^(?:\/\/.*\n)+/.exec(readFileSync(file, "utf8"))?.[0] ?? "");
  const texts = [...new Set(heads)].map((head) => head.replaceAll(/^\/\/ ?/gm, "")).filter(Boolean);
  const rule = `\n${"-".repeat(80)}\n\n`;
  return [`Parts of these files come from ${inlined.join(", ")}.\n`, ...texts].join(rule);
}
