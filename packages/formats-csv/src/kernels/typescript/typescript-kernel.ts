import type { CsvKernel } from "../csv-kernel.js";
import { createTypescriptTable } from "./typescript-table.js";

export const typescriptCsvKernel: CsvKernel = { name: "typescript", createTable: createTypescriptTable };
