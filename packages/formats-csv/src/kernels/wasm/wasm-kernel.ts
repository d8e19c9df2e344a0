import { compileWasm } from "@tfxio/wire/kernels";
import type { CsvKernel } from "../csv-kernel.js";
import { createTypescriptTable } from "../typescript/typescript-table.js";
import { csvWasmBase64 } from "./csv-wasm.js";
import { createWasmTable } from "./wasm-table.js";

/**
 * The kernel that this package carries, compiled. Where there is no memory for a table, one in TypeScript takes its place.
 * @throws whatever the runtime throws that lacks WebAssembly or SIMD, or whose page forbids compiling.
 */
export function createWasmCsvKernel(): CsvKernel {
  const module = compileWasm(csvWasmBase64);
  return {
    name: "wasm",
    createTable(plan) {
      try {
        return createWasmTable(module, plan);
      } catch {
        // No address space is left for one more memory: the results are the same.
        return createTypescriptTable(plan);
      }
    },
  };
}
