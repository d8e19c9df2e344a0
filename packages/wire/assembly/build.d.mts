/** The kernels as WebAssembly: of another folder of sources, or with more options of asc. */
export function compileAssembly(settings?: { source?: string; options?: readonly string[] }): Buffer;
/** The TypeScript module that carries these bytes. */
export function carrierOf(wasm: Buffer): string;
