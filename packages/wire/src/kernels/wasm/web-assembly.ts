import { kernelWasmBase64 } from "./kernel-wasm.js";

/** A compiled WebAssembly module. It can be passed to other threads. */
export type WasmModule = object;

/** The part of the `WebAssembly` namespace used here. TypeScript declares the namespace only in its DOM library. */
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

/** Compiles this package's record kernels. Throws the errors of {@link compileWasm}. */
export function compileKernels(): WasmModule {
  return compileWasm(kernelWasmBase64);
}

/**
 * Compiles a module embedded as base64. Compilation is synchronous, because modules are small (docs/adr/0009-wasm-kernel.md).
 * Throws a TypeError if the runtime lacks WebAssembly, and the runtime's error if it lacks SIMD or the page forbids compilation.
 */
export function compileWasm(base64: string): WasmModule {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return new (webAssembly().Module)(bytes);
}

/**
 * Creates an instance and returns its exports. Throws the runtime's error if there is no address space for the memory.
 * @param memory Memory for a module that imports it.
 */
export function instantiate(module: WasmModule, memory?: WasmMemory): unknown {
  return new (webAssembly().Instance)(module, memory && { env: { memory } }).exports;
}

/**
 * Creates memory that other threads can access too, with the maximum size set in tools/assembly/build.mjs. Throws the same errors
 * as {@link instantiate}.
 */
export function createSharedMemory(): WasmMemory {
  return new (webAssembly().Memory)({ initial: 16, maximum: 65536, shared: true });
}

function webAssembly(): WebAssemblyNamespace {
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyNamespace };
  if (WebAssembly === undefined) throw new TypeError("this runtime has no WebAssembly");
  return WebAssembly;
}
