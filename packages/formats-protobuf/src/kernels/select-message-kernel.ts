import { chooseImplementation } from "@tfxio/wire/kernels";
import type { MessageKernel } from "./message-kernel.js";
import { typescriptKernel } from "./typescript/typescript-kernel.js";
import { createWasmKernel } from "./wasm/wasm-kernel.js";

let chosen: MessageKernel | undefined;

/**
 * The kernel to use, chosen at the first call as `kernels()` of `@tfxio/wire/kernels` chooses: WebAssembly where it runs,
 * else TypeScript, with the same results. `TFXIO_KERNELS=typescript` asks for that implementation.
 */
export function messageKernel(): MessageKernel {
  chosen ??= chooseImplementation(typescriptKernel, createWasmKernel).kernels;
  return chosen;
}
