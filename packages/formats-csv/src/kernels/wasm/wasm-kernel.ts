import { compileWasm } from "@tfxio/wire/kernels";
import type { CsvKernel } from "../csv-kernel.js";
import { createTypescriptTable } from "../typescript/typescript-table.js";
import { csvWasmBase64 } from "./csv-wasm.js";
import { createWasmTable } from "./wasm-table.js";

/**
 * Creates the WebAssembly kernel embedded in this package. It supports delimiters and quotes of one byte. For longer ones, or
 * when memory runs out, it creates TypeScript tables.
 * @throws an error from the runtime if it lacks WebAssembly or SIMD, or if the page forbids compilation.
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
        // No address space is left for another memory. The TypeScript table yields the same results.
        return createTypescriptTable(plan);
      }
    },
  };
}
