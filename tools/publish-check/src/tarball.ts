import path from "node:path";
import type { PublishedPackage } from "./published-package.js";
import { run } from "./run.js";

/** A package packed for upload. */
export interface Tarball {
  readonly pkg: PublishedPackage;
  /** Absolute path. */
  readonly file: string;
  /** Paths of the files in it. */
  readonly paths: readonly string[];
}

/**
 * Packs a package as `pnpm publish` would.
 * @throws {Error} when `pnpm pack` fails.
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

/** Missing and unexpected files of a tarball, and the findings of publint and attw. */
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
    ...missing.map((each) => `${name}: the tarball lacks ${each}`),
    ...orphans.map((each) => `${name}: the tarball has ${each}, whose source is gone`),
    ...stray.map((each) => `${name}: the tarball has ${each}, which does not belong there`),
    ...linters
      .filter(({ result }) => result.status !== 0)
      .map(({ linter, result }) => `${name}: ${linter} reports:\n${result.output}`),
  ];
}
