import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = path.join(import.meta.dirname, "..", "..", "..");

interface Manifest {
  readonly description: string;
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly keywords: readonly string[];
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")) as Manifest;
}

// The manifests of all packages must have the same repository address as the root package.json.
const { type, url } = manifestIn(".").repository;
const web = url.replace(/^git\+(.*)\.git$/, "$1");

describe.each(readdirSync(path.join(root, "packages")))("the manifest of packages/%s", (name) => {
  const { description, homepage, bugs, repository, keywords } = manifestIn(`packages/${name}`);

  test("links to the repository", () => {
    expect(repository).toEqual({ type, url, directory: `packages/${name}` });
    expect(bugs.url).toBe(`${web}/issues`);
    expect(homepage).toBe(`${web}/tree/main/packages/${name}#readme`);
    expect(existsSync(path.join(root, "packages", name, "README.md"))).toBe(true);
  });

  test("has a description, and distinct keywords that include tfxio", () => {
    expect(keywords).toContain("tfxio");
    expect(new Set(keywords).size).toBe(keywords.length);
    expect(description).not.toBe("");
  });
});

/** The version of each package in the catalog of pnpm-workspace.yaml. The tests use these versions of the peers. */
const catalog = new Map(
  Array.from(
    readFileSync(path.join(root, "pnpm-workspace.yaml"), "utf8").matchAll(/^ {2}"?([@\w/-]+)"?: ([\d.]+)$/gm),
    ([, name = "", version = ""]) => [name, version] as const,
  ),
);

const peers = readdirSync(path.join(root, "packages")).flatMap((folder) =>
  Object.entries(manifestIn(`packages/${folder}`).peerDependencies ?? {})
    .filter(([name]) => catalog.has(name))
    .map(([name, range]) => ({ folder, name, range })),
);

test("the range of every peer in the catalog begins at the tested minor version", () => {
  expect(peers.length).toBeGreaterThan(10);
  // A range must not begin earlier, because no test shows that older versions work.
  for (const { folder, name, range } of peers) {
    const [, major, minor = "0"] = /^(?:\^|>=)(\d+)(?:\.(\d+))?/.exec(range) ?? [];
    const [testedMajor, testedMinor] = (catalog.get(name) as string).split(".");
    expect([folder, name, `${major}.${minor}`]).toEqual([folder, name, `${testedMajor}.${testedMinor}`]);
  }
});
