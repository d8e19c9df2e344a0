import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";

const folder = path.join(import.meta.dirname, "..");

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly "@tfxio/source": string } | string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

type FormatsByName = Readonly<Record<string, { readonly id: string }>>;

function manifestIn(packageFolder: string): Manifest {
  return JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8")) as Manifest;
}

/** Returns the entries of a package with their source files. */
function entries({ name, exports }: Manifest): { specifier: string; file: string }[] {
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [{ specifier: name + subpath.slice(1), file: target["@tfxio/source"] }],
  );
}

const umbrella = manifestIn(folder);
const chapters = entries(umbrella)
  .filter(({ specifier }) => specifier !== "tfxio")
  .map(({ specifier, file }) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    // The file must have only a comment and one `export *`, which re-exports every value and type.
    const [, from = ""] = /^\/\/ .*\nexport \* from "([^"]*)";\n$/.exec(text) ?? [];
    return { specifier, file, from };
  });

/** Entries that export only names of their package's main entry, for programs that want to load less. */
const partsOfMain = ["@tfxio/schema/predicates", "@tfxio/wire/errors"];

/** Entries that io bundles into single-file workers. They export formats of the main entry, but without lazy imports. */
const partsOfWorkers = ["@tfxio/formats-arrow/worker"];

describe("chapters", () => {
  test.each(chapters)(
    "re-export everything, types included ($specifier re-exports $from)",
    async ({ file, from }) => {
      const chapter = (await import(path.join(folder, file))) as Record<string, unknown>;
      const part = (await import(from)) as Record<string, unknown>;
      expect(Object.keys(chapter).sort()).toEqual(Object.keys(part).sort());
      expect(Object.keys(part).filter((name) => chapter[name] !== part[name])).toEqual([]);
    },
  );

  test("exist for each entry of each package that tfxio depends on, except parts of main entries and entries for workers", () => {
    // Only the command uses the dependencies outside `@tfxio/`.
    const own = Object.keys(umbrella.dependencies).filter((name) => name.startsWith("@tfxio/"));
    const packages = own.map((name) => manifestIn(path.join(folder, "node_modules", name)));
    const specifiers = packages.flatMap(entries).map(({ specifier }) => specifier);
    expect(chapters.map(({ from }) => from).sort()).toEqual(
      specifiers.filter((specifier) => ![...partsOfMain, ...partsOfWorkers].includes(specifier)).sort(),
    );
  });

  test.each(partsOfMain)(
    "need not cover %s, which exports only values of its package's main entry",
    async (specifier) => {
      const main = (await import(specifier.split("/").slice(0, 2).join("/"))) as Record<string, unknown>;
      const part = (await import(specifier)) as Record<string, unknown>;
      expect(Object.keys(part).filter((name) => main[name] !== part[name])).toEqual([]);
    },
  );

  test.each(partsOfWorkers)(
    "need not cover %s, which exports only formats of its package's main entry",
    async (specifier) => {
      const main = (await import(specifier.split("/").slice(0, 2).join("/"))) as FormatsByName;
      const part = (await import(specifier)) as FormatsByName;
      expect(Object.keys(part)).not.toEqual([]);
      for (const [name, { id }] of Object.entries(part)) expect([name, main[name]?.id]).toEqual([name, id]);
    },
  );

  test("are listed in the README", () => {
    const readme = readFileSync(path.join(folder, "README.md"), "utf8");
    const rows = [...readme.matchAll(/^\| `(tfxio\/[^`]*)` +\| `([^`]*)`/gm)];
    expect(rows.map(([, specifier, from]) => `${specifier} ${from}`)).toEqual(
      chapters.map(({ specifier, from }) => `${specifier} ${from}`),
    );
  });
});
