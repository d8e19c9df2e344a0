import type { CsvKernel } from "../csv-kernel.js";
import { createTypescriptTable } from "./typescript-table.js";

/** The TypeScript kernel. It runs everywhere. */
export const typescriptCsvKernel: CsvKernel = { name: "typescript", createTable: createTypescriptTable };
