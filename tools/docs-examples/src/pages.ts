import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A page of documentation: Markdown, or a TypeScript example. */
export interface Page {
  /** Path relative to the repository's root, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** Root of the repository. */
export const root: string = path.join(import.meta.dirname, "..", "..", "..");

/** URL of the published repository, from the root package.json, without a trailing slash. */
export const repositoryUrl: string = (
  JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    readonly repository: { readonly url: string };
  }
).repository.url.replace(/^git\+(.*)\.git$/, "$1");

function filesIn(folder: string, extension: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension))
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")));
}

function read(names: readonly string[]): Page[] {
  return names
    .filter((name) => existsSync(path.join(root, name)))
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(root, name), "utf8") }));
}

/** Reads README.md, CONTRIBUTING.md, the READMEs of packages, and the Markdown pages in `docs/`. */
export function markdownPages(): Page[] {
  const packages = readdirSync(path.join(root, "packages")).map((name) => `packages/${name}/README.md`);
  return read(["README.md", "CONTRIBUTING.md", ...packages, ...filesIn("docs", ".md")]);
}

/** Reads the programs of `docs/examples/`. */
export function examplePages(): Page[] {
  return read(filesIn("docs/examples", ".ts"));
}
