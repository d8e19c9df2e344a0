import type { Kernels } from "../kernels.js";
import { InstancePool } from "./instance-pool.js";
import { WINDOW_BYTES } from "./kernel-instance.js";
import { sharedKernelWasmBase64 } from "./shared-kernel-wasm.js";
import { wasmKernelsOf } from "./wasm-kernels.js";
import { compileWasm, createSharedMemory } from "./web-assembly.js";

/**
 * Creates the WebAssembly kernels that use shared memory. They are a separate module, because decoding with them takes a sixth
 * longer than with the kernels that use unshared memory. Throws the runtime's error if it cannot compile them.
 */
export function createSharedKernels(): Kernels {
  return wasmKernelsOf(
    new InstancePool(compileWasm(sharedKernelWasmBase64), WINDOW_BYTES, createSharedMemory),
  );
}
