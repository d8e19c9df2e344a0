import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Page, root } from "./pages.js";
import { programsOf } from "./programs.js";

/** The compiled programs of a page. */
export interface CompiledPage {
  readonly name: string;
  /** Compiler errors in this page's programs, and errors that do not name a file of any page. */
  readonly errors: readonly string[];
  /** Absolute paths of the JavaScript files to run. */
  readonly modules: readonly string[];
}

// The folder is in this package, so that programs can import the package's dependencies. Git ignores the folder.
const cacheFolder = path.join(import.meta.dirname, "..", ".cache");

const compilerOptions = {
  rootDir: "programs",
  outDir: "out",
  composite: false,
  incremental: false,
  isolatedDeclarations: false,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
};

/** Creates a folder for {@link compilePages}. The caller must remove it. Concurrent runs must not share a folder. */
export function createWorkFolder(): string {
  mkdirSync(cacheFolder, { recursive: true });
  return mkdtempSync(path.join(cacheFolder, "run-"));
}

/**
 * Compiles the programs of all pages with one run of the compiler, against the compiled packages. Skips pages without programs.
 * @param cache A folder from {@link createWorkFolder}.
 */
export function compilePages(pages: readonly Page[], cache: string): CompiledPage[] {
  mkdirSync(path.join(cache, "programs"), { recursive: true });
  const compiled = pages.map((page) => {
    const folder = page.name.replaceAll("/", "--").replace(/\.(md|ts)$/, "");
    const programs = programsOf(page);
    for (const { fileName, code } of programs) {
      mkdirSync(path.join(cache, "programs", folder), { recursive: true });
      writeFileSync(path.join(cache, "programs", folder, fileName), code);
    }
    return { page, folder, programs };
  });
  const config = { extends: path.join(root, "tsconfig.base.json"), include: ["programs"], compilerOptions };
  writeFileSync(path.join(cache, "tsconfig.json"), JSON.stringify(config));
  const tsc = path.join(root, "node_modules", ".bin", "tsc");
  const { stdout, error } = spawnSync(tsc, ["-p", cache, "--pretty", "false"], {
    cwd: cache,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  const messages = stdout.split("\n").filter((line) => line.includes("error TS"));
  return compiled
    .filter(({ programs }) => programs.length > 0)
    .map(({ page, folder, programs }) => ({
      name: page.name,
      errors: messages.filter((line) => line.includes(`programs/${folder}/`) || !line.includes("programs/")),
      modules: programs.map(({ fileName }) =>
        path.join(cache, "out", folder, fileName.replace(/\.ts$/, ".js")),
      ),
    }));
}
