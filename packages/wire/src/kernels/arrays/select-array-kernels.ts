import { chooseImplementation } from "../choose-twin.js";
import type { ArrayKernels } from "./array-kernels.js";
import { typescriptArrayKernels } from "./typescript-array-kernels.js";
import { createWasmArrayKernels } from "./wasm/wasm-array-kernels.js";

let chosen: ArrayKernels | undefined;

/**
 * The kernels over arrays to use, chosen at the first call as `kernels()` chooses: WebAssembly where it runs, else
 * TypeScript, with the same results. `TFXIO_KERNELS=typescript` asks for that twin.
 */
export function arrayKernels(): ArrayKernels {
  chosen ??= chooseImplementation(typescriptArrayKernels, createWasmArrayKernels).kernels;
  return chosen;
}
