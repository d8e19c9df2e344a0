import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const script = path.join(import.meta.dirname, "../../../../tools/assembly/build.mjs");

/**
 * Compiles a folder of kernel sources to WebAssembly. Runs `tools/assembly/build.mjs` in a separate process, because packages
 * must not import from `tools/`.
 */
export function compileAssembly(source: string, options: readonly string[] = []): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), "tfxio-kernel-"));
  try {
    const file = path.join(folder, "kernel.wasm");
    execFileSync(process.execPath, [script, source, file, ...options]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
