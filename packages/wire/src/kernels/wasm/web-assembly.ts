import { kernelWasmBase64 } from "./kernel-wasm.js";

/** A compiled module. Opaque; may be handed to other threads. */
export type WasmModule = object;

/** What is used of the namespace, which TypeScript declares together with a browser's page only. */
interface WebAssemblyNamespace {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports?: object) => { readonly exports: unknown };
  readonly Memory: new (pages: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

/** A memory of an instance. Growing one that is not shared detaches its buffer. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  grow(pages: number): number;
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

/**
 * The exports of a new instance, over `memory` if the module imports one.
 * @throws whatever the runtime throws that has no address space left for a memory.
 */
export function instantiate(module: WasmModule, memory?: WasmMemory): unknown {
  return new (webAssembly().Instance)(module, memory && { env: { memory } }).exports;
}

/** A memory that other threads can see too, as large as those of tools/assembly/build.mjs may become. @throws as {@link instantiate}. */
export function createSharedMemory(): WasmMemory {
  return new (webAssembly().Memory)({ initial: 16, maximum: 65536, shared: true });
}

function webAssembly(): WebAssemblyNamespace {
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyNamespace };
  if (WebAssembly === undefined) throw new TypeError("there is no WebAssembly");
  return WebAssembly;
}
