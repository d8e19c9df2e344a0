import path from "node:path";
import type { PublishedPackage } from "./published-package.js";
import { run } from "./run.js";

/** A package packed for upload. */
export interface Tarball {
  readonly pkg: PublishedPackage;
  /** Absolute path. */
  readonly file: string;
  /** Paths of the files in the tarball, relative to the package's folder. */
  readonly paths: readonly string[];
}

/**
 * Packs a package in the same way as `pnpm publish`.
 * @throws {Error} if `pnpm pack` fails.
 */
export function packed(pkg: PublishedPackage, destination: string): Tarball {
  const { status, output } = run("pnpm", ["pack", "--json", "--pack-destination", destination], pkg.folder);
  if (status !== 0) throw new Error(`${pkg.name}: pnpm pack failed: ${output}`);
  const { filename, files } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  };
  return { pkg, file: path.resolve(destination, filename), paths: files.map((file) => file.path) };
}

/** Finds missing and unexpected files of a tarball, and runs publint and attw on it. */
export function tarballViolations({ pkg: { name, folder }, file, paths }: Tarball): string[] {
  const missing = ["README.md", "LICENSE", "package.json"].filter((each) => !paths.includes(each));
  const stray = paths.filter(
    (each) => !/^(dist|src)\/|^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/.test(each),
  );
  const orphans = paths.filter((each) => {
    const source = /^dist\/(?!node\/)(.*)\.js$/.exec(each)?.[1];
    return source !== undefined && !paths.includes(`src/${source}.ts`);
  });
  const linters = [
    { linter: "publint", result: run("publint", [file, "--strict"], folder) },
    { linter: "attw", result: run("attw", [file, "--profile", "esm-only", "--format", "ascii"], folder) },
  ];
  return [
    ...missing.map((each) => `${name}: the tarball must contain ${each}`),
    ...orphans.map((each) => `${name}: the tarball contains ${each}, but not its source`),
    ...stray.map((each) => `${name}: the tarball must not contain ${each}`),
    ...linters
      .filter(({ result }) => result.status !== 0)
      .map(({ linter, result }) => `${name}: ${linter} reports:\n${result.output}`),
  ];
}
