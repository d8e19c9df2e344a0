import { createRequire } from "node:module";

type Engine = typeof import("parquet-wasm");

const PACKAGE = "parquet-wasm";
let engine: Engine | undefined;

/** Returns the engine. The first call loads it from `parquet-wasm`. */
export function loadEngine(): Promise<Engine> {
  engine ??= createRequire(import.meta.url)(PACKAGE) as Engine;
  return Promise.resolve(engine);
}

/** Releases the engine's instance, so that the next load creates a new one. Returns false if the runtime cannot do that. */
export function dropEngine(): boolean {
  engine = undefined;
  // Create a new `require` each time, because an old one keeps references to the modules that it has loaded.
  const require = createRequire(import.meta.url);
  return delete require.cache[require.resolve(PACKAGE)];
}
