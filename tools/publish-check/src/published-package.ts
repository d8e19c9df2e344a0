import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A package that is published to npm. */
export interface PublishedPackage {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  /** Names of the peer dependencies. */
  readonly peers: readonly string[];
  /** Module specifiers of the package's `exports`, such as `@tfxio/wire/errors`, except `package.json`. */
  readonly entryPoints: readonly string[];
  /** Maximum size of the gzipped main entry in bytes; undefined if package.json does not set it. */
  readonly bundleBudget: number | undefined;
  /** The platform for which the main entry is bundled. */
  readonly platform: "browser" | "node";
  /** Dependencies that the package imports only on demand, such as codecs. The bundle size excludes them. */
  readonly loadedLate: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly tfxio?: {
    readonly runsIn?: "node";
    readonly bundleBudget?: number;
    readonly loadedLate?: readonly string[];
  };
}

/** Reads all packages in a `packages/` folder except private ones, sorted by folder. */
export function publishedPackages(packagesFolder: string): PublishedPackage[] {
  return readdirSync(packagesFolder)
    .sort()
    .map((name) => path.join(packagesFolder, name))
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
      if (manifest.private === true) return [];
      return [
        {
          name: manifest.name,
          folder,
          peers: Object.keys(manifest.peerDependencies ?? {}),
          entryPoints: Object.keys(manifest.exports ?? {})
            .filter((subpath) => subpath !== "./package.json")
            .map((subpath) => `${manifest.name}${subpath.slice(1)}`),
          bundleBudget: manifest.tfxio?.bundleBudget,
          platform: manifest.tfxio?.runsIn ?? "browser",
          loadedLate: manifest.tfxio?.loadedLate ?? [],
        },
      ];
    });
}
