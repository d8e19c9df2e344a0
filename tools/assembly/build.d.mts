/** A module of a package: the folder of its sources, the file that contains it, its export name, and additional asc options. */
export interface WasmModuleSource {
  readonly source: string;
  readonly carrier: string;
  readonly name: string;
  readonly options?: readonly string[];
}
export const wasmModules: readonly WasmModuleSource[];
/** Compiles a folder of sources to WebAssembly, with additional asc options. */
export function compileAssembly(settings: { source: string; options?: readonly string[] }): Buffer;
/** Returns the text of the TypeScript module that contains these bytes. */
export function carrierOf(wasm: Buffer, module: Pick<WasmModuleSource, "source" | "name">): string;
