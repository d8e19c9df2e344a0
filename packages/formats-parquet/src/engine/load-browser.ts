import * as engine from "parquet-wasm/esm";

// The import is static, as in coders-browser.ts: bundlers turn a dynamic import into a chunk, and single-file workers cannot load
// chunks.

let loading: Promise<typeof engine> | undefined;

/**
 * Loads the engine. The first call fetches the engine's WebAssembly file (1.6 MB gzipped) from the URL that the bundler chose.
 * After a failed fetch, the next call tries again.
 */
export function loadEngine(): Promise<typeof engine> {
  loading ??= engine.default().then(
    () => engine,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/**
 * Returns false: a web page cannot replace the engine's instance, because parquet-wasm's JavaScript keeps the first one. See
 * load-node.ts.
 */
export function dropEngine(): boolean {
  return false;
}
