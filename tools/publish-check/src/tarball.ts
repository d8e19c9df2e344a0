import { spawnSync } from "node:child_process";
import path from "node:path";
import type { PublishedPackage } from "./published-package.js";

interface Run {
  readonly status: number | null;
  readonly output: string;
}

function run(program: string, rest: readonly string[], cwd: string): Run {
  const { status, stdout, stderr, error } = spawnSync(program, rest, { cwd, encoding: "utf8" });
  return { status, output: error === undefined ? `${stdout}${stderr}`.trim() : error.message };
}

/** Packs a package as `pnpm publish` would, and says what the linters find in the tarball. */
export function tarballViolations({ name, folder }: PublishedPackage, destination: string): string[] {
  const packed = run("pnpm", ["pack", "--json", "--pack-destination", destination], folder);
  if (packed.status !== 0) return [`${name}: pnpm pack failed: ${packed.output}`];
  const { filename, files } = JSON.parse(packed.output.slice(packed.output.indexOf("{"))) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  };
  const tarball = path.resolve(destination, filename);
  const paths = files.map((file) => file.path);
  const missing = ["README.md", "LICENSE", "package.json"].filter((file) => !paths.includes(file));
  const stray = paths.filter(
    (file) => !/^(dist|src)\/|^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/.test(file),
  );
  const linters = [
    { linter: "publint", result: run("publint", [tarball, "--strict"], folder) },
    { linter: "attw", result: run("attw", [tarball, "--profile", "esm-only", "--format", "ascii"], folder) },
  ];
  return [
    ...missing.map((file) => `${name}: the tarball lacks ${file}`),
    ...stray.map((file) => `${name}: the tarball has ${file}, which nobody needs`),
    ...linters
      .filter(({ result }) => result.status !== 0)
      .map(({ linter, result }) => `${name}: ${linter} is not content:\n${result.output}`),
  ];
}
