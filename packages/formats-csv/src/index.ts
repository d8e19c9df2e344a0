// Reading and writing CSV files.
export { csv, tsv } from "./format.js";
export type { CsvWriteOptions } from "./encode-options.js";
export type { CsvColumnType, CsvOptions } from "./options.js";
