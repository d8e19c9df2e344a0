/** A module of a package: its sources, the file that carries it, the name there, and more options of asc. */
export interface WasmModuleSource {
  readonly source: string;
  readonly carrier: string;
  readonly name: string;
  readonly options?: readonly string[];
}
export const wasmModules: readonly WasmModuleSource[];
/** The kernels as WebAssembly: a folder of sources, with more options of asc. */
export function compileAssembly(settings: { source: string; options?: readonly string[] }): Buffer;
/** The TypeScript module that carries these bytes. */
export function carrierOf(wasm: Buffer, module: Pick<WasmModuleSource, "source" | "name">): string;
