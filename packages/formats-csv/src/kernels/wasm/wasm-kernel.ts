import { compileWasm } from "@tfxio/wire/kernels";
import type { CsvKernel } from "../csv-kernel.js";
import { csvWasmBase64 } from "./csv-wasm.js";
import { createWasmTable } from "./wasm-table.js";

/**
 * The kernel that this package carries, compiled.
 * @throws whatever the runtime throws that lacks WebAssembly or SIMD, or whose page forbids compiling.
 */
export function createWasmCsvKernel(): CsvKernel {
  const module = compileWasm(csvWasmBase64);
  return { name: "wasm", createTable: (plan) => createWasmTable(module, plan) };
}
