import { compileWasm } from "@tfxio/wire/kernels";
import type { CsvKernel } from "../csv-kernel.js";
import { createTypescriptTable } from "../typescript/typescript-table.js";
import { csvWasmBase64 } from "./csv-wasm.js";
import { createWasmTable } from "./wasm-table.js";

/**
 * The kernel that this package carries, compiled. It takes delimiters and quotes of one byte. Tables for longer ones are in
 * TypeScript, as are those that there is no memory for.
 * @throws whatever the runtime throws that lacks WebAssembly or SIMD, or whose page forbids compiling.
 */
export function createWasmCsvKernel(): CsvKernel {
  const module = compileWasm(csvWasmBase64);
  return {
    name: "wasm",
    createTable(plan) {
      const { delimiter, quote } = plan.dialect;
      if (delimiter.length > 1 || quote.length > 1) return createTypescriptTable(plan);
      try {
        return createWasmTable(module, plan);
      } catch {
        // No address space is left for one more memory: the results are the same.
        return createTypescriptTable(plan);
      }
    },
  };
}
