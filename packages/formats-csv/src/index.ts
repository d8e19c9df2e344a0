export { writeCsv } from "./encode.js";
export type { CsvWriteOptions } from "./encode-options.js";
