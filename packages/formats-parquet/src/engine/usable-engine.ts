import { dropEngine, loadEngine } from "#engine";
import { UnsupportedError } from "@tfxio/wire";

/**
 * Maximum number of traps of one instance of the engine. If a call traps, the instance never releases the stack that the call
 * used. The stack is 1 MiB. A few hundred damaged files have been seen to exhaust it, after which every call failed.
 */
const MAX_TRAPS = 64;
let numTraps = 0;

/**
 * Returns the engine, which is loaded on the first call.
 * @throws {UnsupportedError} `unsupported`, with reason `engine-missing` if it cannot be loaded, or `engine-lost` if its instance
 * has trapped too often and cannot be replaced.
 */
export async function usableEngine(): ReturnType<typeof loadEngine> {
  if (numTraps >= MAX_TRAPS) {
    const message =
      `The Parquet engine has crashed ${MAX_TRAPS} times, probably on damaged files, ` +
      "and cannot be restarted without reloading the web page.";
    throw new UnsupportedError(message, {
      reason: "engine-lost",
      feature: "more Parquet files in this page",
    });
  }
  try {
    return await loadEngine();
  } catch (cause) {
    const message =
      "The Parquet engine, a WebAssembly file, cannot be loaded. In a browser, check that parquet_wasm_bg.wasm is in the folder of the bundled script and is served. Some bundlers, such as esbuild, do not copy it there: copy it from node_modules/parquet-wasm/esm.";
    throw new UnsupportedError(message, { reason: "engine-missing", feature: "Parquet files", cause });
  }
}

/** Counts `cause` if it is a trap. After {@link MAX_TRAPS} traps, drops the instance if the runtime can replace it. */
export function countTrap(cause: unknown): void {
  // Compare by name, because in tests the class belongs to another realm.
  if (!(cause instanceof Error) || cause.name !== "RuntimeError") return;
  numTraps++;
  if (numTraps >= MAX_TRAPS && dropEngine()) numTraps = 0;
}
