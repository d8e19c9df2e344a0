import * as engine from "parquet-wasm/esm";

let loading: Promise<typeof engine> | undefined;

/** The engine, whose WebAssembly is fetched from beside the script: bundlers put it there. */
export function loadEngine(): Promise<typeof engine> {
  loading ??= engine.default().then(() => engine);
  return loading;
}
