// The reason why a push ended, as in `CsvStatus` of src/kernels/csv-kernel.ts.

export const OK: u32 = 0;
export const CELL_COUNT: u32 = 1;
export const LINE_BREAK: u32 = 2;
export const UNCLOSED: u32 = 3;
export const RECORD_TOO_LONG: u32 = 4;
export const BATCH_TOO_LARGE: u32 = 5;
/** Used only within the WebAssembly module: more bytes are needed to find the end of a cell or a record. */
export const INCOMPLETE: u32 = 6;
