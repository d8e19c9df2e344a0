import { chooseImplementation } from "../choose-implementation.js";
import type { ArrayKernels } from "./array-kernels.js";
import { typescriptArrayKernels } from "./typescript-array-kernels.js";
import { createWasmArrayKernels } from "./wasm/wasm-array-kernels.js";

let chosen: ArrayKernels | undefined;

/**
 * Returns the array kernels in use. The first call chooses them as `kernels()` does: WebAssembly if it runs here, otherwise
 * TypeScript. `TFXIO_KERNELS=typescript` selects the TypeScript implementation. WebAssembly and TypeScript give identical
 * results.
 */
export function arrayKernels(): ArrayKernels {
  chosen ??= chooseImplementation(typescriptArrayKernels, createWasmArrayKernels).kernels;
  return chosen;
}
