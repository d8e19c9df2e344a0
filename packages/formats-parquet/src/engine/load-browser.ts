import * as engine from "parquet-wasm/esm";

// Static, as in coders-browser.ts: workers of one file cannot have chunks.

let loading: Promise<typeof engine> | undefined;

/**
 * The engine: its 1.6 MB of WebAssembly, gzipped, are fetched with the first file from where the bundler put them. A failed
 * fetch is tried again by the next call.
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

/** As in load-node.ts. A page has one engine, since its glue code keeps one. */
export function dropEngine(): boolean {
  return false;
}
