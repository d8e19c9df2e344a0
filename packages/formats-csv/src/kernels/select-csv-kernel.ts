import { chooseImplementation } from "@tfxio/wire/kernels";
import type { CsvKernel } from "./csv-kernel.js";
import { typescriptCsvKernel } from "./typescript/typescript-kernel.js";
import { createWasmCsvKernel } from "./wasm/wasm-kernel.js";

let chosen: CsvKernel | undefined;

/**
 * The kernel to use, chosen at the first call as `kernels()` of `@tfxio/wire/kernels` chooses: WebAssembly where it runs,
 * else TypeScript, with the same results. `TFXIO_KERNELS=typescript` asks for that implementation.
 */
export function csvKernel(): CsvKernel {
  chosen ??= chooseImplementation(typescriptCsvKernel, createWasmCsvKernel).kernels;
  return chosen;
}
