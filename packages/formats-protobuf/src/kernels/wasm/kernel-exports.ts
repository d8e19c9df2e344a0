/** Exports of assembly/index.as. Returned numbers are signed: convert addresses and counts to unsigned. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  layPlan(numBytes: number): number;
  start(rootPlan: number, columns: number, numColumns: number, memoryLimit: number): number;
  outcomeAddress(): number;
  roomFor(numBytes: number, numRecords: number): number;
  decode(numRecords: number, shift: number, maxRows: number, maxBytes: number): number;
  addNullRow(recordBytes: number, maxRows: number, maxBytes: number): number;
  listValidity(column: number, numParents: number): number;
  numBytes(): number;
  clear(): void;
}

/** Index of each word in the outcome of a call. */
export const Outcome = {
  numDecoded: 0,
  isFull: 1,
  errorAt: 2,
  errorPlan: 3,
  nullCount: 4,
  bitmap: 5,
  input: 6,
  bounds: 7,
} as const;

/** Index of each word in the record of a column: `Column` of assembly/column.as. */
export const ColumnWord = {
  lastParent: 0,
  numItems: 1,
  starts: 2,
  words: 3,
  data: 4,
  encoding: 5,
  isRepeated: 6,
  message: 7,
} as const;
/** Number of words in the record of a column. */
export const COLUMN_WORDS = 12;
