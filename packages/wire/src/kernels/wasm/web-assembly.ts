import { kernelWasmBase64 } from "./kernel-wasm.js";

/** A compiled module. Opaque; may be handed to other threads. */
export type WasmModule = object;

/** What is used of the namespace, which TypeScript declares together with a browser's page only. */
interface WebAssemblyNamespace {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: unknown };
}

/** Compiles the kernels for records that this package carries. @throws as {@link compileWasm}. */
export function compileKernels(): WasmModule {
  return compileWasm(kernelWasmBase64);
}

/**
 * Compiles a module that is carried as text. Synchronous: it is small (docs/adr/0009-wasm-kernel.md).
 * @throws whatever the runtime throws that lacks WebAssembly or SIMD, or whose page forbids compiling.
 */
export function compileWasm(base64: string): WasmModule {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return new (webAssembly().Module)(bytes);
}

/** The exports of a new instance. @throws whatever the runtime throws that has no address space left for a memory. */
export function instantiate(module: WasmModule): unknown {
  return new (webAssembly().Instance)(module).exports;
}

function webAssembly(): WebAssemblyNamespace {
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyNamespace };
  if (WebAssembly === undefined) throw new TypeError("there is no WebAssembly");
  return WebAssembly;
}
