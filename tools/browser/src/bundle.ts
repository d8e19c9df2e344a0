import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";

const packagesFolder = path.join(import.meta.dirname, "..", "..", "..", "packages");

interface Manifest {
  readonly name: string;
  readonly tfxio?: { readonly runsIn?: "node" };
}

const manifests = readdirSync(packagesFolder)
  .sort()
  .map((folder): Manifest => {
    return JSON.parse(readFileSync(path.join(packagesFolder, folder, "package.json"), "utf8")) as Manifest;
  });

/** Returns the names of all packages that browsers can load, sorted by folder. */
export function packageNames(): string[] {
  return manifests.filter(({ tfxio }) => tfxio?.runsIn !== "node").map(({ name }) => name);
}

/**
 * Modules that only Node can load. They stay external, because pages may contain imports of them that never run. A page that
 * runs such an import fails.
 */
const nodeOnly = [
  ...manifests.filter(({ tfxio }) => tfxio?.runsIn === "node").map(({ name }) => name),
  "libsql",
  "node:*",
];

/**
 * Bundles published files with their dependencies for a browser, as the build of an application would.
 * @param entryPoints Modules to bundle, each a file or a package, by output name.
 * @returns Contents by URL path, such as `/page.js`.
 */
export async function bundleForBrowser(
  entryPoints: Readonly<Record<string, string>>,
): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: { ...entryPoints },
    external: nodeOnly,
    absWorkingDir: path.join(import.meta.dirname, ".."),
    outdir: "/",
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "silent",
  });
  return new Map(outputFiles.map(({ path: file, contents }) => [`/${path.basename(file)}`, contents]));
}

/** Returns the `.wasm` files of TensorFlow.js's wasm backend, keyed by URL path under `/wasm/`. */
export function wasmBackendFiles(): Map<string, Uint8Array> {
  const folder = path.dirname(createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm"));
  const files = readdirSync(folder).filter((name) => name.endsWith(".wasm"));
  return new Map(files.map((name) => [`/wasm/${name}`, readFileSync(path.join(folder, name))]));
}
