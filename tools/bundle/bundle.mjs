// node ../../tools/bundle/bundle.mjs, in the folder of a package that `tsc` has compiled: bundles the package's files. The `node`
// conditions and `nodeEntries` in package.json give the paths of the bundles. docs/adr/0016-bundles-for-node.md gives the
// reasons.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup } from "rollup";

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

/**
 * Pairs of a bundle and its entry file in the output of `tsc`. `nodeEntries` has the scripts that the package starts in threads
 * or processes.
 */
const entries = [
  ...Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    // Without a bundle, this subpath would load files that the bundles also contain, so each of their classes would exist twice.
    if (target.node === undefined) throw new Error(`exports["${subpath}"] must have a condition "node"`);
    return [[target.node, target.default]];
  }),
  ...Object.entries(manifest.tfxio?.nodeEntries ?? {}),
];

/** Dependencies that become part of the bundle. */
const inlined = manifest.tfxio?.nodeInlines ?? [];

/** Packages that a bundle imports instead of including them. */
const outside = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
  (name) => !inlined.includes(name),
);

const bundle = await rollup({
  input: Object.fromEntries(entries.map(([out = "", file = ""]) => [path.basename(out, ".js"), file])),
  external: (specifier) => outside.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  plugins: [
    nodeResolve({ exportConditions: ["node"] }),
    {
      name: "maps",
      // The source maps of `tsc` make the maps of the bundles point to `src`, which is published.
      load: (file) =>
        existsSync(`${file}.map`) && !file.includes("/node_modules/")
          ? { code: readFileSync(file, "utf8"), map: readFileSync(`${file}.map`, "utf8") }
          : null,
    },
  ],
  treeshake: { moduleSideEffects: false },
  onwarn: ({ code, message }) => {
    if (code === "UNRESOLVED_IMPORT" || code === "MISSING_EXPORT") throw new Error(message);
  },
});

rmSync(folder, { recursive: true, force: true });
removeOrphans();
const { output } = await bundle.write({
  dir: folder,
  format: "es",
  // All chunks are in `dist/node`, at the same depth as modules in a folder such as `dist/workers`. So a URL that such a module
  // creates relative to import.meta.url is right in every chunk.
  chunkFileNames: "chunk-[name]-[hash].js",
  sourcemap: true,
  sourcemapExcludeSources: true,
  sourcemapPathTransform: withoutStore,
});
if (inlined.length > 0) writeFileSync(path.join(folder, "THIRD-PARTY-NOTICES.txt"), notices());

/** Removes compiled files whose source no longer exists. `tsc` does not delete them, so they would be published. */
function removeOrphans() {
  for (const file of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
    const source = /^(.*?)(?:\.d)?\.[jt]s(?:\.map)?$/.exec(file)?.[1];
    if (source !== undefined && !existsSync(path.join("src", `${source}.ts`)))
      rmSync(path.join("dist", file));
  }
}

/**
 * Returns the path of a source file for a source map. The path of a dependency's file begins with `npm:` instead of a folder of
 * this machine.
 * @param {string} source
 */
function withoutStore(source) {
  return source.replace(/^.*\/node_modules\//, "npm:");
}

/** Returns the text for the notices file: the comments with copyright and license at the start of the inlined files. */
function notices() {
  const files = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const heads = files.map((file) =>
    file.includes("/node_modules/") ? /^(?:\/\/.*\n)+/.exec(readFileSync(file, "utf8"))?.[0] : undefined,
  );
  const texts = [...new Set(heads)].flatMap((head) => head?.replaceAll(/^\/\/ ?/gm, "") ?? []);
  const rule = `\n${"-".repeat(80)}\n\n`;
  return [`Parts of these files come from ${inlined.join(", ")}.\n`, ...texts].join(rule);
}
