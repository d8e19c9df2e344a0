import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { main } from "assemblyscript/asc";

const folder = path.join(import.meta.dirname, "../../../assembly");

/** Returns the sources of the kernels by file name. */
export function kernelSources(): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".as"));
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
}

/**
 * Compiles sources in this process without optimizing. This takes a fraction of a second. The real build optimizes in a separate
 * process, and takes seconds.
 */
export async function compileSources(
  sources: ReadonlyMap<string, string>,
  options: readonly string[] = [],
): Promise<Uint8Array> {
  const settings = JSON.parse(readFileSync(path.join(folder, "asconfig.json"), "utf8")) as {
    options: { runtime: string; enable: string[] };
  };
  const { runtime, enable } = settings.options;
  let wasm: Uint8Array | undefined;
  const { error, stderr } = await main(
    ["index.ts", "--runtime", runtime, "--enable", enable.join(), "-O0", "-o", "kernel.wasm", ...options],
    {
      readFile: (name) => sources.get(`${path.parse(name).name}.as`) ?? null,
      writeFile: (_, content) => {
        if (typeof content !== "string") wasm = content;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || wasm === undefined) throw new TypeError(`asc: ${stderr.toString()}`);
  return Uint8Array.from(wasm);
}
