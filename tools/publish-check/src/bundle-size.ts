import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { PublishedPackage } from "./published-package.js";

/**
 * Resolves to the size in bytes of a package's main entry, bundled with its dependencies, minified, and gzipped at level 9. The
 * bundle targets the package's platform. It excludes the package's peers, and dependencies that are imported only on demand.
 * @param outside Names of additional packages to exclude: the peers and on-demand imports of other packages.
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

/** Returns the violation of a package whose budget is missing or exceeded; undefined if `bytes` is within the budget. */
export function budgetViolation({ name, bundleBudget }: PublishedPackage, bytes: number): string | undefined {
  if (bundleBudget === undefined) {
    return `${name}: no budget; set "tfxio": { "bundleBudget": … } in its package.json (now ${bytes} bytes)`;
  }
  if (bytes <= bundleBudget) return undefined;
  return `${name}: the gzipped main entry must have at most ${bundleBudget} bytes, found ${bytes}`;
}
