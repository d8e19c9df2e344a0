import { kernelWasmBase64 } from "./kernel-wasm.js";

/** A compiled module. Opaque; it can be passed to other threads. */
export type WasmModule = object;

/** The part of the namespace used here. TypeScript declares it only in its DOM library. */
interface WebAssemblyNamespace {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports?: object) => { readonly exports: unknown };
  readonly Memory: new (pages: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

/** Memory of an instance. Growing it detaches its buffer, unless it is shared. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  grow(pages: number): number;
}

/** Compiles this package's record kernels. @throws like {@link compileWasm}. */
export function compileKernels(): WasmModule {
  return compileWasm(kernelWasmBase64);
}

/**
 * Compiles a module embedded as base64. Synchronous, because the module is small (docs/adr/0009-wasm-kernel.md).
 * @throws the runtime's error when it lacks WebAssembly or SIMD, or when the page forbids compilation.
 */
export function compileWasm(base64: string): WasmModule {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return new (webAssembly().Module)(bytes);
}

/**
 * Returns the exports of a new instance, over `memory` if the module imports one.
 * @throws the runtime's error when it has no address space for the memory.
 */
export function instantiate(module: WasmModule, memory?: WasmMemory): unknown {
  return new (webAssembly().Instance)(module, memory && { env: { memory } }).exports;
}

/**
 * Memory that other threads can see too, with the maximum size set in tools/assembly/build.mjs. @throws like {@link instantiate}.
 */
export function createSharedMemory(): WasmMemory {
  return new (webAssembly().Memory)({ initial: 16, maximum: 65536, shared: true });
}

function webAssembly(): WebAssemblyNamespace {
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyNamespace };
  if (WebAssembly === undefined) throw new TypeError("this runtime has no WebAssembly");
  return WebAssembly;
}
