import {
  CellKind,
  CsvStatus,
  type CsvTable,
  type DeferredCell,
  ROW_BYTES,
  type TableColumn,
  type TableLimits,
  type TablePlan,
  type TablePush,
} from "../csv-kernel.js";
import { CellScanner, CR, INCOMPLETE, isLineBreak, LF } from "./cell-scanner.js";
import { InputBytes } from "./input-bytes.js";
import { createNullTest } from "./null-markers.js";
import { ColumnCells, Stored } from "./table-column.js";

export function createTypescriptTable(plan: TablePlan): CsvTable {
  return new TypescriptTable(plan);
}

class TypescriptTable implements CsvTable {
  readonly #plan: TablePlan;
  readonly #scanner: CellScanner;
  readonly #columns: readonly ColumnCells[];
  readonly #isNull: ReturnType<typeof createNullTest>;
  readonly #rowBytes: number;
  readonly #input = new InputBytes();
  #pushed: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  numRows = 0;
  #deferred: DeferredCell[] = [];
  #starts: number[] = [];
  #ends: number[] = [];
  /** Number of records that this push has taken so far. */
  #numRecords = 0;
  /** Numbers of bytes that cells of kind `bytes` contain: in all rows, and in the current record. */
  #dataBytes = 0;
  #recordBytes = 0;
  /** Number of cells in the last record read, and the end of that record, without the line end. */
  #numCells = 0;
  #end = 0;

  constructor(plan: TablePlan) {
    this.#plan = plan;
    this.#scanner = new CellScanner(plan.dialect);
    this.#columns = plan.kinds.map((kind) => new ColumnCells(kind));
    this.#isNull = createNullTest(plan.nullMarkers);
    this.#rowBytes = plan.kinds.reduce<number>((sum, kind) => sum + ROW_BYTES[kind], 0);
  }

  get numPending(): number {
    return this.#input.length;
  }

  append(bytes: Uint8Array): boolean {
    try {
      this.#input.append(bytes);
      return true;
    } catch {
      return false;
    }
  }

  push(isLast: boolean, { maxRows, maxBytes, until = Number.POSITIVE_INFINITY }: TableLimits): TablePush {
    const bytes = this.#input.bytes;
    this.#pushed = bytes;
    Object.assign(this.#scanner, { bytes, length: bytes.length, isLast });
    this.#deferred = [];
    this.#starts = [];
    this.#ends = [];
    this.#numRecords = 0;
    let [at, numSkipped, isFull] = [0, 0, false];
    let status: CsvStatus = CsvStatus.ok;
    for (;;) {
      isFull = this.numRows >= maxRows || this.#numBytes() >= maxBytes || at >= until;
      if (isFull || at === bytes.length) break;
      const passed = this.#passLine(at);
      if (passed > 0) {
        at += passed;
        continue;
      }
      const read = passed === INCOMPLETE ? INCOMPLETE : this.#readRecord(at);
      if (typeof read === "object") status = read.status;
      if (typeof read === "object" || read === INCOMPLETE) {
        this.#takeBack(at);
        break;
      }
      const isBad = !this.#hasRightCells(at);
      if (isBad && !this.#plan.skipsBadRows) {
        status = CsvStatus.cellCount;
        this.#takeBack(at);
        break;
      }
      if (isBad) {
        this.#takeBack(at);
        numSkipped++;
      } else this.#endRow(at);
      this.#numRecords++;
      at = read;
    }
    this.#input.take(at);
    return {
      status,
      consumed: at,
      numRecords: this.#numRecords,
      numSkipped,
      isFull,
      failedAt: at,
      numCells: this.#numCells,
      deferred: this.#deferred,
      starts: Uint32Array.from(this.#starts),
      ends: Uint32Array.from(this.#ends),
    };
  }

  input(start: number, end: number): Uint8Array {
    return this.#pushed.subarray(start, end);
  }

  column(index: number): TableColumn {
    const column = this.#columns[index] as ColumnCells;
    column.reserve(this.numRows);
    return column.view(this.numRows);
  }

  clear(): void {
    this.numRows = 0;
    this.#dataBytes = 0;
    for (const column of this.#columns) column.clear();
  }

  /**
   * Returns the length in bytes of the blank line or comment at `at`; 0 if a record begins there; `INCOMPLETE` if the input ends
   * before the line does.
   */
  #passLine(at: number): number {
    const bytes = this.#pushed;
    const { comment, skipBlankLines } = this.#plan.dialect;
    const first = bytes[at] as number;
    if (skipBlankLines && isLineBreak(first)) {
      const end = this.#lineEnd(at);
      return end === INCOMPLETE ? INCOMPLETE : end - at;
    }
    if (first !== comment) return 0;
    let end = at;
    while (end < bytes.length && !isLineBreak(bytes[end] as number)) end++;
    if (end === bytes.length) return this.#scanner.isLast ? end - at : INCOMPLETE;
    const next = this.#lineEnd(end);
    return next === INCOMPLETE ? INCOMPLETE : next - at;
  }

  /** Returns the position after the line end at `at`, or `INCOMPLETE` if the LF of a CRLF may follow the input. */
  #lineEnd(at: number): number {
    const bytes = this.#pushed;
    if (bytes[at] !== CR) return at + 1;
    if (at + 1 === bytes.length) return this.#scanner.isLast ? at + 1 : INCOMPLETE;
    return bytes[at + 1] === LF ? at + 2 : at + 1;
  }

  /**
   * Stores the cells of the record at `start` as the next row. Returns the start of the following record, `INCOMPLETE` if the
   * record continues after the input, or the status of an error.
   */
  #readRecord(start: number): number | { readonly status: CsvStatus } {
    const scanner = this.#scanner;
    const row = this.numRows;
    let at = start;
    this.#recordBytes = 0;
    for (let column = 0; ; column++) {
      const status = scanner.scan(at);
      if (status === INCOMPLETE) return INCOMPLETE;
      if (status !== CsvStatus.ok) return { status };
      const isBlank = column === 0 && scanner.next === start && this.#endsRecord(start);
      if (isBlank) return this.#blankRow(start);
      const cells = this.#columns[column];
      if (cells !== undefined) {
        cells.reserve(row);
        if (this.#store(cells, column, start) === Stored.tooLarge) return { status: CsvStatus.batchTooLarge };
      }
      this.#numCells = column + 1;
      if (scanner.nextCell < 0) return this.#endRecord(start, scanner.next);
      at = scanner.nextCell;
    }
  }

  #store(cells: ColumnCells, column: number, recordStart: number): Stored {
    const { text, start, end, isQuoted } = this.#scanner;
    const row = this.numRows;
    if ((this.#plan.quotedNulls || !isQuoted) && this.#isNull(text, start, end)) {
      cells.storeNull(row);
      return Stored.done;
    }
    const stored = cells.store(row, text, start, end);
    if (this.#plan.kinds[column] === CellKind.bytes) this.#recordBytes += end - start;
    if (stored === Stored.deferred) {
      this.#deferred.push({
        column,
        row,
        bytes: text.slice(start, end),
        recordStart,
        record: this.#numRecords,
      });
    }
    return stored;
  }

  #endRecord(start: number, at: number): number | { readonly status: CsvStatus } {
    this.#end = at;
    const next = at === this.#scanner.length ? at : this.#lineEnd(at);
    if (next === INCOMPLETE || at - start <= this.#plan.maxRecordBytes) return next;
    return { status: CsvStatus.recordTooLong };
  }

  #blankRow(start: number): number {
    this.#numCells = 0;
    this.#recordBytes = 0;
    this.#end = start;
    for (const cells of this.#columns) {
      cells.reserve(this.numRows);
      cells.storeNull(this.numRows);
    }
    return this.#lineEnd(start);
  }

  #endsRecord(at: number): boolean {
    return at < this.#scanner.length && isLineBreak(this.#pushed[at] as number);
  }

  /** True if the record has the right number of cells. A blank line counts as a row of nulls. */
  #hasRightCells(start: number): boolean {
    const { numCells } = this.#plan;
    return numCells === 0 || this.#numCells === numCells || this.#end === start;
  }

  #endRow(start: number): void {
    this.numRows++;
    this.#dataBytes += this.#recordBytes;
    if (!this.#plan.keepsBounds) return;
    this.#starts.push(start);
    this.#ends.push(this.#end);
  }

  #takeBack(start: number): void {
    for (const column of this.#columns) column.takeBack(this.numRows);
    while (this.#deferred.at(-1)?.recordStart === start) this.#deferred.pop();
  }

  #numBytes(): number {
    return this.numRows * this.#rowBytes + this.#dataBytes;
  }
}
