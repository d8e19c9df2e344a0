import type { Dialect } from "../dialect.js";

/** Kinds of cells. The kind of a column determines how the kernel treats its cells. */
export const CellKind = {
  /** The kernel skips these cells. */
  skip: 0,
  /** The kernel leaves every non-null cell to its caller, as a {@link DeferredCell}. */
  nothing: 1,
  int64: 2,
  float32: 3,
  /** Keeps the bytes of the cells, with quotes and escapes removed. */
  bytes: 4,
} as const;
export type CellKind = (typeof CellKind)[keyof typeof CellKind];

/** Reason why a push ended. */
export const CsvStatus = {
  /** No complete record is left, or the batch is full. */
  ok: 0,
  /** The number of cells in a row differs from the plan. */
  cellCount: 1,
  /** A line break within quotes or after an escape, in a dialect without `multiline`. */
  lineBreak: 2,
  /** The input ends within quotes, or after an escape. */
  unclosed: 3,
  /** A record is longer than the limit. */
  recordTooLong: 4,
  /** A column exceeds 2^31 - 1 bytes, or the available memory. */
  batchTooLarge: 5,
} as const;
export type CsvStatus = (typeof CsvStatus)[keyof typeof CsvStatus];

export interface TablePlan {
  readonly dialect: Dialect;
  /** Cell contents that mean null. */
  readonly nullMarkers: readonly Uint8Array[];
  readonly quotedNulls: boolean;
  /** The kind of each column of the file. A row's cells beyond these columns are skipped. */
  readonly kinds: readonly CellKind[];
  /**
   * Required number of cells in each row. 0 allows any number, for a plan that keeps no cells, or that reads a single row.
   */
  readonly numCells: number;
  /** Drops rows with a different number of cells. */
  readonly skipsBadRows: boolean;
  /** Reports the bounds of records. */
  readonly keepsBounds: boolean;
  readonly maxRecordBytes: number;
}

/** Conditions under which a batch is full. */
export interface TableLimits {
  readonly maxRows: number;
  /** The batch ends with the row that reaches this number of bytes. */
  readonly maxBytes: number;
  /** Position in the input, in bytes: records that begin at or after it are not taken. Default: no limit. */
  readonly until?: number | undefined;
}

/**
 * A cell that the kernel leaves to its caller. In a column of numbers, it is a cell that the kernel cannot convert. In a column
 * of kind `nothing`, it is any cell that is not null.
 */
export interface DeferredCell {
  readonly column: number;
  readonly row: number;
  /** Bytes of the cell, with quotes and escapes removed; valid until the next `append` or `push`. */
  readonly bytes: Uint8Array;
  /** Start of the cell's record in the input. */
  readonly recordStart: number;
  /** Index of the cell's record among the records of the push. */
  readonly record: number;
}

/** Result of a push. Positions are relative to the start of the input before the push. */
export interface TablePush {
  readonly status: CsvStatus;
  /** Bytes of the records that were taken, including blank lines and comments. */
  readonly consumed: number;
  /** Number of records that were taken, including dropped ones, but not comments or skipped blank lines. */
  readonly numRecords: number;
  readonly numSkipped: number;
  readonly isFull: boolean;
  /** After an error: start of the rejected record. */
  readonly failedAt: number;
  /**
   * Number of cells found in the last record read, which may be incomplete. For status `cellCount`, that record is the rejected
   * one.
   */
  readonly numCells: number;
  readonly deferred: readonly DeferredCell[];
  /** First byte and end (exclusive, without line end) of the record of each new row, if the plan requests bounds. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The cells of a column, as views of kernel memory that are valid until the next `append`, `push` or `clear`. */
export interface TableColumn {
  /** Bit `row & 7` of byte `row >> 3` is 1 if the cell is null. */
  readonly nulls: Uint8Array;
  /** Values by row, for kinds `int64` and `float32`; unspecified where the cell is null or deferred. */
  readonly int64?: BigInt64Array | undefined;
  readonly float32?: Float32Array | undefined;
  /** For kind `bytes`: `numRows + 1` offsets into `data`. Null cells are empty. */
  readonly offsets?: Int32Array | undefined;
  readonly data?: Uint8Array | undefined;
}

/** Parses records and collects their cells in columns, until cleared for the next batch. */
export interface CsvTable {
  readonly numRows: number;
  /** Bytes of input that have not been taken yet. */
  readonly numPending: number;
  /** Appends a copy of the bytes to the input. False if memory runs out. */
  append(bytes: Uint8Array): boolean;
  /**
   * Takes whole records from the start of the input until the batch is full or no whole record is left. The input must not
   * begin within a record.
   * @param isLast True if no more bytes follow the input.
   */
  push(isLast: boolean, limits: TableLimits): TablePush;
  /** Returns bytes of the input as it was before the last push; valid until the next `append` or `push`. */
  input(start: number, end: number): Uint8Array;
  column(index: number): TableColumn;
  /** Drops all rows and begins the next batch. */
  clear(): void;
}

/** An implementation of the CSV parser, in TypeScript or WebAssembly. */
export interface CsvKernel {
  readonly name: "typescript" | "wasm";
  createTable(plan: TablePlan): CsvTable;
}

/** Number of bytes that each cell adds to a batch's size (see `maxBytes`), by kind. The content of `bytes` cells also counts. */
export const ROW_BYTES: Readonly<Record<CellKind, number>> = { 0: 0, 1: 0, 2: 12, 3: 8, 4: 8 };
