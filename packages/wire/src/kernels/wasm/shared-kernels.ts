import type { Kernels } from "../kernels.js";
import { EnginePool } from "./engine-pool.js";
import { WINDOW_BYTES } from "./engine.js";
import { sharedKernelWasmBase64 } from "./shared-kernel-wasm.js";
import { wasmKernelsOf } from "./wasm-kernels.js";
import { compileWasm, createSharedMemory } from "./web-assembly.js";

/**
 * Returns the WebAssembly kernels over memory that threads share. They are a separate module, because everything takes a sixth
 * longer there. @throws like `createWasmKernels`. Without shared memory, starting a batch throws.
 */
export function createSharedKernels(): Kernels {
  return wasmKernelsOf(new EnginePool(compileWasm(sharedKernelWasmBase64), WINDOW_BYTES, createSharedMemory));
}
