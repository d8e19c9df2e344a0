import type { Dialect } from "../dialect.js";

/** What a kernel does with the cells of a column. */
export const CellKind = {
  /** Passes over them. */
  skip: 0,
  /** Defers every cell that is not null. */
  nothing: 1,
  int64: 2,
  float32: 3,
  /** Keeps their bytes, without quotes and escapes. */
  bytes: 4,
} as const;
export type CellKind = (typeof CellKind)[keyof typeof CellKind];

/** Why a push ended. */
export const CsvStatus = {
  /** No whole record is left, or the batch is full. */
  ok: 0,
  /** A row has another number of cells than the plan. */
  cellCount: 1,
  /** A line break within quotes, or after an escape, in a dialect without these. */
  lineBreak: 2,
  /** The input ends within quotes, or after an escape. */
  unclosed: 3,
  /** A record is longer than the limit. */
  recordTooLong: 4,
  /** A column passes 2^31 - 1 bytes, or the memory there is. */
  batchTooLarge: 5,
} as const;
export type CsvStatus = (typeof CsvStatus)[keyof typeof CsvStatus];

/** What a table is made for. */
export interface TablePlan {
  readonly dialect: Dialect;
  /** Bytes of the cells that are null. */
  readonly nullMarkers: readonly Uint8Array[];
  readonly quotedNulls: boolean;
  /** Of each column of the file. Cells behind the last one are passed over. */
  readonly kinds: readonly CellKind[];
  /** Cells that each row has; 0: any number, for a plan that keeps no cells, or no row but one that has all of them. */
  readonly numCells: number;
  /** Leaves out rows of another number of cells. */
  readonly skipsBadRows: boolean;
  /** Reports where records begin and end. */
  readonly keepsBounds: boolean;
  readonly maxRecordBytes: number;
}

/** When a batch is full. */
export interface TableLimits {
  readonly maxRows: number;
  /** The batch ends with the row that reaches so many bytes. */
  readonly maxBytes: number;
  /** No record is taken that begins at this byte of the input or behind it. Default: none is left. */
  readonly until?: number | undefined;
}

/** A cell that the kernel leaves to its caller: no number that is written plainly, or one of `nothing`. */
export interface DeferredCell {
  readonly column: number;
  readonly row: number;
  /** Its bytes, without quotes and escapes; valid until the next push. */
  readonly bytes: Uint8Array;
  /** Start of its record in the input. */
  readonly recordStart: number;
  /** Its record among those of the push. */
  readonly record: number;
}

/** What a push has done. Places count from the start of the input as it was before the push. */
export interface TablePush {
  readonly status: CsvStatus;
  /** Bytes of the records that were taken, of blank lines and comments. */
  readonly consumed: number;
  /** Records that were taken, with those left out, without blank lines and comments. */
  readonly numRecords: number;
  readonly numSkipped: number;
  readonly isFull: boolean;
  /** After an error: start of the record, its row among the records of this push, and its cells if they are counted. */
  readonly failedAt: number;
  readonly numCells: number;
  readonly deferred: readonly DeferredCell[];
  /** First and end (exclusive, without line end) byte of the records of the new rows, where the plan asks for them. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The cells of a column. Views of kernel memory: valid until the next push. */
export interface TableColumn {
  /** Bit `row & 7` of byte `row >> 3` is set where the cell is null. */
  readonly nulls: Uint8Array;
  /** Values by row, of `int64` and `float32`; anything where the cell is null or deferred. */
  readonly int64?: BigInt64Array | undefined;
  readonly float32?: Float32Array | undefined;
  /** Of `bytes`: bounds in `data`, `numRows + 1`. Null cells are empty. */
  readonly offsets?: Int32Array | undefined;
  readonly data?: Uint8Array | undefined;
}

/** Takes records in, and keeps their cells in columns, until they are cleared for the next batch. */
export interface CsvTable {
  readonly numRows: number;
  /** Bytes of input that were not taken yet. */
  readonly numPending: number;
  /** Adds bytes behind the input, which are copied. False when there is no memory for them. */
  append(bytes: Uint8Array): boolean;
  /**
   * Takes whole records from the start of the input until the batch is full. The input begins with a record.
   * @param isLast No byte follows the input.
   */
  push(isLast: boolean, limits: TableLimits): TablePush;
  /** Bytes of the input as it was before the last push; valid until the next `append`. */
  input(start: number, end: number): Uint8Array;
  column(index: number): TableColumn;
  /** Drops all rows; the next batch begins. */
  clear(): void;
}

/** Makes tables. */
export interface CsvKernel {
  readonly name: "typescript" | "wasm";
  /** @throws {RangeError} when there is no memory for a table. */
  createTable(plan: TablePlan): CsvTable;
}

/** Bytes that a row adds to a batch for a column beside the bytes of `bytes` cells, by kind; as `maxBytes` counts. */
export const ROW_BYTES: Readonly<Record<CellKind, number>> = { 0: 0, 1: 0, 2: 12, 3: 8, 4: 8 };
