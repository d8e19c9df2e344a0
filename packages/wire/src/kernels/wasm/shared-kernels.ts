import type { Kernels } from "../kernels.js";
import { EnginePool } from "./engine-pool.js";
import { WINDOW_BYTES } from "./engine.js";
import { sharedKernelWasmBase64 } from "./shared-kernel-wasm.js";
import { wasmKernelsOf } from "./wasm-kernels.js";
import { compileWasm, createSharedMemory } from "./web-assembly.js";

/**
 * The kernels in WebAssembly over memory that threads share, a module apart, since everything takes a sixth more time
 * there. @throws as `createWasmKernels`; where there is no shared memory, when a batch is begun.
 */
export function createSharedKernels(): Kernels {
  return wasmKernelsOf(new EnginePool(compileWasm(sharedKernelWasmBase64), WINDOW_BYTES, createSharedMemory));
}
