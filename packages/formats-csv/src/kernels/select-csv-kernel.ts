import type { CsvKernel } from "./csv-kernel.js";
import { typescriptCsvKernel } from "./typescript/typescript-kernel.js";

/** The kernel to use. */
export function csvKernel(): CsvKernel {
  return typescriptCsvKernel;
}
