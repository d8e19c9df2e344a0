/** Exports of assembly/index.as. Returned addresses are signed: convert them with `>>> 0`. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Discards the previous plan, and returns the address of `numBytes` zeroed bytes for a new plan. 0 if memory runs out. */
  layPlan(numBytes: number): number;
  /** Allocates the initial memory of the columns. Returns 0 if memory runs out. */
  start(rootPlan: number, columns: number, numColumns: number, memoryLimit: number): number;
  /** Returns the address of the {@link Outcome} words. It never changes. */
  outcomeAddress(): number;
  /** Reserves room for the bytes and bounds of records. Returns 0 if memory runs out. */
  roomFor(numBytes: number, numRecords: number): number;
  /**
   * Decodes the records that the host has copied into the reserved room, until the batch is full or a record is damaged. Returns
   * a `DecodeStatus`, and writes the outcome.
   */
  decode(numRecords: number, shift: number, maxRows: number, maxBytes: number): number;
  /** Appends a row of nulls for a damaged record. Returns 1 if the batch is then full, otherwise 0. */
  addNullRow(recordBytes: number, maxRows: number, maxBytes: number): number;
  /** Computes the validity of the lists of the column at this address. Returns 0 if memory runs out. */
  listValidity(column: number, numParents: number): number;
  /** Returns the size of the batch in bytes, without alignment. */
  numBytes(): number;
  /** Starts an empty batch. */
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

/** Indexes of the words of a `Column` object that the host uses. Must match the members of `Column` in assembly/column.as. */
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
/** Total number of words of a `Column` object. */
export const COLUMN_WORDS = 12;
