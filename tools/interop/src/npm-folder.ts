import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { prepare } from "./run-command.js";

/** A folder in the cache with installed npm packages. */
export interface NpmFolder {
  readonly folder: string;
  /** Imports a package, resolved from this folder. */
  readonly importModule: (specifier: string) => Promise<unknown>;
}

/**
 * Installs packages, each given as `name@version`, without running their scripts. Does nothing if all are installed.
 * @throws {Unavailable} if npm is missing or fails.
 */
export async function npmFolder(
  cacheFolder: string,
  name: string,
  packages: readonly string[],
): Promise<NpmFolder> {
  const folder = path.join(cacheFolder, name);
  const missing = packages.filter((each) => {
    const at = each.lastIndexOf("@");
    const manifest = path.join(folder, "node_modules", each.slice(0, at), "package.json");
    if (!existsSync(manifest)) return true;
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
    return version !== each.slice(at + 1);
  });
  if (missing.length > 0) {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "package.json"), '{ "private": true }\n');
    await prepare("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], {
      cwd: folder,
    });
  }
  return openNpmFolder(folder);
}

/** Opens a folder that {@link npmFolder} created, and installs nothing. */
export function openNpmFolder(folder: string): NpmFolder {
  const require = createRequire(path.join(folder, "index.js"));
  return {
    folder,
    importModule: async (specifier) => import(pathToFileURL(require.resolve(specifier)).href),
  };
}
