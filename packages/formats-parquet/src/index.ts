export { parquet } from "./format.js";
export type { ParquetOptions } from "./options.js";
