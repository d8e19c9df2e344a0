import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The target of a subpath in `exports` or `imports`: a path, null if the subpath is hidden, or a target for each condition. */
export type ExportTarget = string | null | { readonly [condition: string]: ExportTarget };

/** The fields of a package.json that the rules read. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, ExportTarget>>;
  readonly imports?: Readonly<Record<string, ExportTarget>>;
  /** `runsIn: "node"` marks a package that browsers cannot load. */
  readonly tfxio?: { readonly runsIn?: "node" };
}

/** A package of the workspace with its source files. */
export interface WorkspacePackage {
  /** Absolute path. */
  readonly folder: string;
  readonly group: "packages" | "tools";
  readonly manifest: Manifest;
  /** Tags in the package's turbo.json; empty if it has no tags, or does not exist. */
  readonly tags: readonly string[];
  /** Absolute paths of the TypeScript files under `src/`, sorted. */
  readonly sourceFiles: readonly string[];
}

/** For each tag, the tags on which its packages may depend; undefined if turbo.json does not restrict them. */
export type AllowedTags = ReadonlyMap<string, readonly string[] | undefined>;

/** The input of the rules. */
export interface Workspace {
  readonly root: string;
  readonly packages: readonly WorkspacePackage[];
  /** From the `boundaries` block of the root turbo.json. */
  readonly allowedTags: AllowedTags;
}

interface TurboJson {
  readonly tags?: readonly string[];
  readonly boundaries?: {
    readonly tags?: Readonly<
      Record<string, { readonly dependencies?: { readonly allow?: readonly string[] } }>
    >;
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Returns the TypeScript files in a folder, sorted; empty if the folder does not exist. */
function sourceFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Reads the packages and tools of the workspace whose root turbo.json is in `root`. */
export function readWorkspace(root: string): Workspace {
  const { boundaries } = readJson(path.join(root, "turbo.json")) as TurboJson;
  const packages = (["packages", "tools"] as const).flatMap((group): WorkspacePackage[] => {
    const parent = path.join(root, group);
    if (!existsSync(parent)) return [];
    return readdirSync(parent)
      .sort()
      .map((name) => path.join(parent, name))
      .filter((folder) => existsSync(path.join(folder, "package.json")))
      .map((folder) => {
        const turboFile = path.join(folder, "turbo.json");
        return {
          folder,
          group,
          manifest: readJson(path.join(folder, "package.json")) as Manifest,
          tags: existsSync(turboFile) ? ((readJson(turboFile) as TurboJson).tags ?? []) : [],
          sourceFiles: sourceFilesIn(path.join(folder, "src")),
        };
      });
  });
  return {
    root,
    packages,
    allowedTags: new Map(
      Object.entries(boundaries?.tags ?? {}).map(([tag, rule]) => [tag, rule.dependencies?.allow]),
    ),
  };
}
