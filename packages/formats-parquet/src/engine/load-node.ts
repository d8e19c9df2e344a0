import { createRequire } from "node:module";

type Engine = typeof import("parquet-wasm");

const PACKAGE = "parquet-wasm";
let engine: Engine | undefined;

/** The engine, which Node reads from its package. Loaded with the first file. */
export function loadEngine(): Promise<Engine> {
  engine ??= createRequire(import.meta.url)(PACKAGE) as Engine;
  return Promise.resolve(engine);
}

/** Releases the engine, so that the next load creates a new one. False if the runtime cannot do that. */
export function dropEngine(): boolean {
  engine = undefined;
  // A new `require` each time: an old one holds on to whatever it has loaded.
  const require = createRequire(import.meta.url);
  return delete require.cache[require.resolve(PACKAGE)];
}
