/** The engine, which Node reads from its package. Loaded with the first file. */
export function loadEngine(): Promise<typeof import("parquet-wasm")> {
  return import("parquet-wasm");
}
