import { chooseImplementation } from "@tfxio/wire/kernels";
import type { MessageKernel } from "./message-kernel.js";
import { typescriptKernel } from "./typescript/typescript-kernel.js";
import { createWasmKernel } from "./wasm/wasm-kernel.js";

let chosen: MessageKernel | undefined;

/**
 * Returns the kernel, chosen at the first call in the same way as `kernels()` of `@tfxio/wire/kernels`: WebAssembly if it runs,
 * otherwise TypeScript. Both give the same results. The environment variable `TFXIO_KERNELS=typescript` forces TypeScript.
 */
export function messageKernel(): MessageKernel {
  chosen ??= chooseImplementation(typescriptKernel, createWasmKernel).kernels;
  return chosen;
}
