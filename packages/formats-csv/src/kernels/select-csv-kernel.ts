import { chooseImplementation } from "@tfxio/wire/kernels";
import type { CsvKernel } from "./csv-kernel.js";
import { typescriptCsvKernel } from "./typescript/typescript-kernel.js";
import { createWasmCsvKernel } from "./wasm/wasm-kernel.js";

let chosen: CsvKernel | undefined;

/**
 * Returns the kernel, which is chosen at the first call in the same way as `kernels()` of `@tfxio/wire/kernels`: WebAssembly if
 * it runs, otherwise TypeScript, with the same results. `TFXIO_KERNELS=typescript` forces TypeScript.
 */
export function csvKernel(): CsvKernel {
  chosen ??= chooseImplementation(typescriptCsvKernel, createWasmCsvKernel).kernels;
  return chosen;
}
