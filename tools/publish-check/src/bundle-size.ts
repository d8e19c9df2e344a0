import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { PublishedPackage } from "./published-package.js";

/**
 * Bytes of the main entry with its dependencies, bundled and minified for browsers, or for Node if it runs only
 * there, after gzip at level 9. Excludes peers, which the application has anyway, and `outside`: peers and late
 * imports of other packages.
 */
export async function bundleSize(pkg: PublishedPackage, outside: readonly string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(pkg.name)};`, resolveDir: pkg.folder },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: pkg.platform,
    target: "es2022",
    external: [...new Set([...pkg.peers, ...pkg.loadedLate, ...outside])].flatMap((name) => [
      name,
      `${name}/*`,
    ]),
    logLevel: "silent",
  });
  return outputFiles.reduce((bytes, { contents }) => bytes + gzipSync(contents, { level: 9 }).length, 0);
}

/** What is wrong with a size, if anything. */
export function budgetViolation({ name, bundleBudget }: PublishedPackage, bytes: number): string | undefined {
  if (bundleBudget === undefined) {
    return `${name}: no budget; set "tfxio": { "bundleBudget": … } in its package.json (now ${bytes} bytes)`;
  }
  if (bytes <= bundleBudget) return undefined;
  return `${name}: the main entry is ${bytes} bytes gzipped, its budget ${bundleBudget}`;
}
