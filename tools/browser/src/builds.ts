import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { markdownPages } from "@tfxio-tools/docs-examples/pages";
import { programsOf } from "@tfxio-tools/docs-examples/programs";
import { writeTfxio } from "@tfxio/io";
import { memoryTarget } from "@tfxio/wire";
import { tableFromArrays } from "apache-arrow";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";

// Programs are written into folders of this package, so that they resolve its dependencies. Git ignores these folders.
const packageFolder = path.join(import.meta.dirname, "..");

/** The files of a web site, keyed by URL path, such as `/page.js`; `/` is the HTML page. */
export type Site = ReadonlyMap<string, Uint8Array>;

/** A bundler with its settings. */
export interface Bundler {
  readonly name: string;
  /** True if it bundles the workers that a program creates with `new Worker(new URL(…))`. */
  readonly hasWorkers: boolean;
  /** Builds the production site of `folder`, whose `index.html` loads `page.ts`. */
  build(folder: string): Promise<Site>;
}

const html = (script: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>TFXIO</title><script type="module" src="${script}"></script>`;

/** Bundlers that applications use: Vite with each format of workers, and esbuild with and without splitting. */
export const bundlers: readonly Bundler[] = [
  { name: "vite", hasWorkers: true, build: (folder) => builtByVite(folder, "iife") },
  { name: "vite, module workers", hasWorkers: true, build: (folder) => builtByVite(folder, "es") },
  { name: "esbuild", hasWorkers: false, build: (folder) => builtByEsbuild(folder, false) },
  { name: "esbuild --splitting", hasWorkers: false, build: (folder) => builtByEsbuild(folder, true) },
];

/** Builds with Vite. @param workers Format of workers. With `"iife"`, Vite's default, a worker must be a single chunk. */
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
  // esbuild does not follow `new URL("….wasm", import.meta.url)`, so users copy the file themselves.
  const wasm = readFileSync(fileURLToPath(import.meta.resolve("parquet-wasm/esm/parquet_wasm_bg.wasm")));
  return new Map([...files, ["/parquet_wasm_bg.wasm", wasm], ["/", Buffer.from(html("/page.js"))]]);
}

/** Reads all files of a folder. `index.html` becomes `/`. */
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

/**
 * Returns the programs of README.md up to the import of `writeTfxio`. The rest writes to a path, which a browser cannot do.
 * @throws {TypeError} if README.md does not contain that import.
 */
export function readmeProgram(): string {
  const page = markdownPages().find(({ name }) => name === "README.md");
  const [program] = page === undefined ? [] : programsOf(page);
  const end = program?.code.indexOf("\nimport { writeTfxio }") ?? -1;
  if (program === undefined || end < 0)
    throw new TypeError("README.md must have a program that imports `writeTfxio`");
  return program.code.slice(0, end);
}

/** Returns a program that reads TFRecords, also in a worker if the bundler supports workers. It throws if rows are missing. */
export function tfRecordProgram({ hasWorkers }: Bundler): string {
  return `
    import { encodeExample, encodeTfRecord, openTfxio } from "tfxio";
    const records = Array.from({ length: 100 }, (_, i) => encodeTfRecord(encodeExample({ age: { kind: "int64", values: [i] } })));
    const tfxio = await openTfxio(new Blob(records), { inferSchema: "full" });
    for (const workers of ${hasWorkers ? "[0, 1]" : "[0]"}) {
      let numRows = 0;
      for await (const batch of tfxio.recordBatches({ workers })) numRows += batch.numRows;
      if (numRows !== 100) throw new Error("found " + numRows + " rows");
    }
  `;
}

/**
 * Returns a program that reads a Parquet `File`, also in a worker if possible. It throws if it finds the wrong number of rows.
 */
export function parquetProgram({ hasWorkers }: Bundler): string {
  const fixtures = path.join(import.meta.dirname, "../../../packages/formats-parquet/test/fixtures");
  const base64 = readFileSync(path.join(fixtures, "groups.parquet")).toString("base64");
  return `
    import { openTfxio } from "@tfxio/io";
    import { parsePredicate } from "@tfxio/schema";
    const bytes = Uint8Array.from(atob("${base64}"), (character) => character.charCodeAt(0));
    const file = new File([bytes], "groups.parquet");
    const numRowsOf = async (options, readOptions) => {
      const tfxio = await openTfxio(file, { inferSchema: "first", ...options });
      let numRows = 0;
      for await (const batch of tfxio.recordBatches(readOptions)) numRows += batch.numRows;
      return numRows;
    };
    const found = [
      await numRowsOf({ filter: parsePredicate("id == 550") }, { workers: 0 }),
      await numRowsOf({}, { workers: ${hasWorkers ? 1 : 0} }),
    ];
    if (found.join() !== "1,2000") throw new Error("found " + found.join(" and ") + " rows");
  `;
}

/**
 * Resolves to a program that reads an Arrow file of each codec, also in a worker if possible. It throws if the sum of the values
 * is wrong.
 */
export async function arrowProgram({ hasWorkers }: Bundler): Promise<string> {
  const table = tableFromArrays({ id: Int32Array.from({ length: 2000 }, (_, row) => row % 7) });
  const files: string[] = [];
  for (const compression of ["none", "lz4", "zstd"] as const) {
    const target = memoryTarget("ids.arrow");
    await writeTfxio(table.batches, target, { formatOptions: { compression } });
    files.push(Buffer.from(target.bytes()).toString("base64"));
  }
  return `
    import { openTfxio } from "@tfxio/io";
    for (const base64 of ${JSON.stringify(files)}) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const tfxio = await openTfxio(new File([bytes], "ids.arrow"), { inferSchema: "first" });
      for (const workers of ${hasWorkers ? "[0, 1]" : "[0]"}) {
        let sum = 0n;
        for await (const batch of tfxio.recordBatches({ workers })) {
          for (const value of batch.data.children[0].children[0].values) sum += value;
        }
        if (sum !== 5995n) throw new Error("the sum is " + sum);
      }
    }
  `;
}

/** Resolves to the site that a bundler builds from a program. The page sets `globalThis.isDone` when the program ends. */
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
