import { filterRows, recordBatchOf } from "@tfxio/arrow-encoding";
import { type Data, Int64, makeData, type RecordBatch } from "apache-arrow";
import { bytesOf, dialectOf } from "../dialect.js";
import type { CsvTable, TableColumn, TableLimits } from "../kernels/csv-kernel.js";
import type { CsvColumn } from "./columns.js";
import { numberOfCell } from "./number-of-cell.js";
import { cellError, type CsvPlace } from "./csv-errors.js";
import { bytesData } from "./cell-values.js";
import { type CsvPlan, isFlat } from "./csv-plan.js";
import type { FileLayout } from "./file-layout.js";
import { createItemLists, type ItemLists } from "./item-lists.js";
import { bytesLists, createOneOffsets, flatValues, listOfOnes } from "./cell-columns.js";
import { createCellSplitter } from "./split-cell.js";
import type { FedPush } from "./table-feed.js";

/** Context of a cell that does not fit its column's type: the cells of the column, and the position of the record. */
interface BadCell {
  readonly cells: TableColumn;
  readonly place: () => CsvPlace;
}

/**
 * Completes the rows of a kernel's table. Adds the values of deferred cells, items of multivalent cells, row positions and raw
 * records.
 */
export class BatchInMaking {
  readonly #plan: CsvPlan;
  readonly #layout: FileLayout;
  readonly #itemLists: ReadonlyMap<number, ItemLists>;
  readonly #itemsOf: (cell: Uint8Array) => Uint8Array[] | undefined;
  readonly #dropped = new Set<number>();
  #positions: number[] = [];
  #rawRecords: Uint8Array[] = [];
  /** Number of rows whose cells have all been processed. */
  #numLookedAt = 0;
  numRows = 0;

  constructor(plan: CsvPlan, layout: FileLayout) {
    this.#plan = plan;
    this.#layout = layout;
    const isMultivalent = (index: number): boolean => layout.columns[index]?.isMultivalent === true;
    this.#itemLists = new Map(
      layout.columns
        .map((_, index) => index)
        .filter(isMultivalent)
        .map((index) => [index, createItemLists(layout.columns[index] as CsvColumn)]),
    );
    const { options } = plan;
    this.#itemsOf = createCellSplitter(dialectOf(options), bytesOf(options.secondaryDelimiter ?? ""));
  }

  /** Limits of the table. `maxRows` includes dropped rows, which stay in the table until it is cleared. */
  get limits(): TableLimits {
    const { batchSize, batchBytes } = this.#plan;
    return { maxRows: batchSize + this.#dropped.size, maxBytes: batchBytes };
  }

  /**
   * Processes new rows. Returns the number of dropped ones.
   * @throws {ConversionError} for a bad cell, if `onBadCell` is `"error"`.
   * @throws {SchemaError} for a value in an unlisted column.
   */
  add(pushed: FedPush, table: CsvTable): number {
    const numDropped = this.#dropped.size;
    for (const { column, row, bytes, recordStart, record } of pushed.deferred) {
      const cells = table.column(column);
      const place = () => pushed.placeOf(recordStart, record);
      if (!this.#resolve(cells, column, row, bytes)) this.#reject(bytes, column, row, { cells, place });
    }
    for (const [column, lists] of this.#itemLists)
      this.#addItems(table.column(column), column, lists, pushed);
    const { rawRecordColumn, rowPositionColumn } = this.#plan;
    for (let index = 0; index < pushed.starts.length; index++) {
      const [start, end] = [pushed.starts[index] as number, pushed.ends[index] as number];
      if (rowPositionColumn !== undefined) this.#positions.push(pushed.inputStart + start);
      if (rawRecordColumn !== undefined) this.#rawRecords.push(table.input(start, end).slice());
    }
    this.#numLookedAt = table.numRows;
    this.numRows = table.numRows - this.#dropped.size;
    return this.#dropped.size - numDropped;
  }

  /** Returns the rows as a batch that owns its memory, and clears the table. */
  finish(table: CsvTable): RecordBatch {
    const { numRows } = table;
    const oneOffsets = createOneOffsets();
    const { rawRecordColumn, rowPositionColumn, arrowSchema, columnForm } = this.#plan;
    const children: Data[] = this.#layout.indices.map((index) => {
      const lists = this.#itemLists.get(index);
      const column = this.#layout.columns[index] as CsvColumn;
      if (lists !== undefined) return lists.finish();
      const cells = table.column(index);
      return isFlat(column, columnForm)
        ? flatValues(column, cells, numRows)
        : listOfOnes(column, cells, numRows, oneOffsets);
    });
    if (rawRecordColumn !== undefined) {
      const records = this.#rawRecords;
      children.push(columnForm === "stored" ? bytesData(records) : bytesLists(records, oneOffsets));
    }
    if (rowPositionColumn !== undefined) {
      const data = BigInt64Array.from(this.#positions, BigInt);
      children.push(makeData({ type: new Int64(), length: numRows, nullCount: 0, data }));
    }
    const batch = recordBatchOf(arrowSchema, numRows, children);
    const dropped = new Set(this.#dropped);
    this.clear(table);
    if (dropped.size === 0) return batch;
    return filterRows(
      batch,
      Uint8Array.from({ length: numRows }, (_, row) => (dropped.has(row) ? 0 : 1)),
    );
  }

  clear(table: CsvTable): void {
    table.clear();
    for (const lists of this.#itemLists.values()) lists.finish();
    this.#dropped.clear();
    this.#positions = [];
    this.#rawRecords = [];
    this.#numLookedAt = 0;
    this.numRows = 0;
  }

  /** Stores the value of a deferred cell. Returns false if the cell does not fit its column's type. */
  #resolve(cells: TableColumn, column: number, row: number, bytes: Uint8Array): boolean {
    const value = numberOfCell(bytes, this.#layout.columns[column]);
    if (value === undefined) return false;
    if (typeof value === "bigint") (cells.int64 as BigInt64Array)[row] = value;
    else (cells.float32 as Float32Array)[row] = value;
    return true;
  }

  #addItems(cells: TableColumn, column: number, lists: ItemLists, pushed: FedPush): void {
    const { offsets, data, nulls } = cells;
    for (let index = 0; index < pushed.starts.length; index++) {
      const row = this.#numLookedAt + index;
      const isNull = ((nulls[row >> 3] as number) & (1 << (row & 7))) !== 0;
      const cell = (data as Uint8Array).subarray(offsets?.[row], offsets?.[row + 1]);
      const items = isNull ? null : this.#itemsOf(cell);
      if (items !== undefined && lists.add(items)) continue;
      const record = pushed.numSkipped === 0 ? index : undefined;
      const place = () => pushed.placeOf(pushed.starts[index] as number, record);
      this.#reject(cell, column, row, { cells, place });
      lists.add(null);
    }
  }

  /** Applies `onBadCell` to a cell that does not fit its column's type. A value in an unlisted column is always an error. */
  #reject(bytes: Uint8Array, index: number, row: number, { cells, place }: BadCell): void {
    const column = this.#layout.columns[index] as CsvColumn;
    const { onBadCell } = this.#plan.options;
    if (onBadCell === "error" || column.isUnlisted) throw cellError(bytes, column, row, place());
    if (onBadCell === "skip-row") this.#dropped.add(row);
    else cells.nulls[row >> 3] = (cells.nulls[row >> 3] as number) | (1 << (row & 7));
  }
}
