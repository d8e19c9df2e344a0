type Engine = typeof import("parquet-wasm/esm");

let loading: Promise<Engine> | undefined;

/**
 * The engine: 25 kB of script and 1.6 MB of WebAssembly, gzipped, fetched with the first file from where the bundler put
 * them. A failed fetch is tried again by the next call.
 */
export function loadEngine(): Promise<Engine> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Engine> {
  try {
    const engine = await import("parquet-wasm/esm");
    await engine.default();
    return engine;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** As in load-node.ts. A page has one engine, since its glue code keeps one. */
export function dropEngine(): boolean {
  return false;
}
