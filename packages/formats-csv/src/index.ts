// For those who read CSV files.
export { csv, tsv } from "./format.js";
export type { CsvColumnType, CsvOptions } from "./options.js";
