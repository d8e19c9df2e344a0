import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { markdownPages } from "@tfxio-tools/docs-examples/pages";
import { programsOf } from "@tfxio-tools/docs-examples/programs";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";

// Inside this package, so that programs find the packages that it depends on; ignored by git.
const packageFolder = path.join(import.meta.dirname, "..");

/** Files of a web site by their URL. */
export type Site = ReadonlyMap<string, Uint8Array>;

/** A bundler and its settings. */
export interface Bundler {
  readonly name: string;
  /** Builds `page.html`, which loads `page.ts`, for production. */
  build(folder: string): Promise<Site>;
}

const html = (script: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>TFXIO</title><script type="module" src="${script}"></script>`;

/** The bundlers that applications use, by themselves and where they divide a program into chunks. */
export const bundlers: readonly Bundler[] = [
  { name: "vite", build: (folder) => builtByVite(folder, "iife") },
  { name: "vite, module workers", build: (folder) => builtByVite(folder, "es") },
  { name: "esbuild", build: (folder) => builtByEsbuild(folder, false) },
  { name: "esbuild --splitting", build: (folder) => builtByEsbuild(folder, true) },
];

/** @param workers `"iife"` is Vite's default, and refuses workers of several chunks. */
async function builtByVite(root: string, workers: "iife" | "es"): Promise<Site> {
  const settings = { root, configFile: false, logLevel: "error" } as const;
  await vite({ ...settings, worker: { format: workers }, build: { outDir: "out" } });
  return siteIn(path.join(root, "out"));
}

async function builtByEsbuild(folder: string, splitting: boolean): Promise<Site> {
  const { outputFiles } = await esbuild({
    entryPoints: [path.join(folder, "page.ts")],
    outdir: "/",
    bundle: true,
    splitting,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
  });
  const files = outputFiles.map(({ path: file, contents }) => [`/${path.basename(file)}`, contents] as const);
  return new Map([...files, ["/", Buffer.from(html("/page.js"))]]);
}

function siteIn(folder: string): Site {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return new Map(
    names.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      const url = `/${path.relative(folder, file).split(path.sep).join("/")}`;
      return [url === "/index.html" ? "/" : url, readFileSync(file)];
    }),
  );
}

/** What the programs of README.md say, up to the one that writes a file, which browsers cannot. */
export function readmeProgram(): string {
  const page = markdownPages().find(({ name }) => name === "README.md");
  const [program] = page === undefined ? [] : programsOf(page);
  const end = program?.code.indexOf("\nimport { writeTfxio }") ?? -1;
  if (program === undefined || end < 0) throw new TypeError("README.md has not the programs that it had");
  return program.code.slice(0, end);
}

/** The site that a bundler makes of a program; `globalThis.isDone` is set where the program ends. */
export async function siteOf(bundler: Bundler, program: string): Promise<Site> {
  const folder = mkdtempSync(path.join(packageFolder, ".cache-"));
  try {
    writeFileSync(path.join(folder, "page.ts"), `${program}\nObject.assign(globalThis, { isDone: true });\n`);
    writeFileSync(path.join(folder, "index.html"), html("/page.ts"));
    return await bundler.build(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
