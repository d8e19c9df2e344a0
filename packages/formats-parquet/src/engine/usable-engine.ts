import { dropEngine, loadEngine } from "#engine";
import { UnsupportedError } from "@tfxio/wire";

/**
 * WebAssembly that traps never gives its stack back. The stack is 1 MiB, and some hundred traps of damaged files were seen
 * to use it up: from then on every call would fail.
 */
const MAX_TRAPS = 64;
let numTraps = 0;

/**
 * The engine, loaded if it is not yet.
 * @throws {UnsupportedError} `unsupported` (`engine-missing`) when it cannot be loaded, (`engine-lost`) when it has trapped
 * too often to be relied on.
 */
export async function usableEngine(): ReturnType<typeof loadEngine> {
  if (numTraps >= MAX_TRAPS) {
    const message = `The Parquet engine has trapped on ${MAX_TRAPS} damaged files, and this page cannot restart it. Reload the page.`;
    throw new UnsupportedError(message, {
      reason: "engine-lost",
      feature: "more Parquet files in this page",
    });
  }
  try {
    return await loadEngine();
  } catch (cause) {
    const message =
      "The Parquet engine, a WebAssembly file, cannot be loaded. In a browser, copy parquet-wasm/esm/parquet_wasm_bg.wasm from node_modules to the folder of the bundled script, since not every bundler does so (esbuild does not), and check that it is served.";
    throw new UnsupportedError(message, { reason: "engine-missing", feature: "Parquet files", cause });
  }
}

/** Counts a failure that was a trap. The engine is replaced before its stack runs out. */
export function countTrap(cause: unknown): void {
  // Compared by name, because in tests the class belongs to another realm.
  if (!(cause instanceof Error) || cause.name !== "RuntimeError") return;
  numTraps++;
  if (numTraps >= MAX_TRAPS && dropEngine()) numTraps = 0;
}
