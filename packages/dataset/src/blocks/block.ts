import { type BatchRows, convertBatch, gatherBatchRows, joinBatchRows } from "./batch-rows.js";
import type { HostColumn } from "@tfxio/tensor-adapter";
import { type ColumnBlock, gatherColumnBlocks, isLeafBlock, sliceColumnBlock } from "./column-block.js";
import { rowOf, rowsOf } from "../columns/column-rows.js";
import { plainRowsOf } from "../columns/dense-rows.js";
import { endOfOneRange, rangesOfParts, singleRows } from "../columns/row-ranges.js";
import { errorInSlice, Failure } from "../failure.js";
import { disposeElements } from "../columns/structure.js";

/** Rows `start` to `start + numRows` (exclusive) of a column block, by reference, so slicing copies nothing. */
export interface ColumnRows {
  readonly numRows: number;
  readonly source: ColumnBlock;
  readonly start: number;
}

/** Rows stored as elements of any structure. A `Failure` takes the place of a failed element. */
export interface ItemRows {
  readonly numRows: number;
  readonly items: readonly unknown[];
}

/** The unit that operators exchange: one or more elements. */
export type Block = ColumnRows | BatchRows | ItemRows;

/** Elements as a block. */
export function blockOfItems(items: readonly unknown[]): ItemRows {
  return { numRows: items.length, items };
}

/** All rows of a column block. */
export function blockOfColumns(source: ColumnBlock): ColumnRows {
  return { numRows: source.numRows, source, start: 0 };
}

/** True when the rows lie in columns. */
export function isColumnRows(block: Block): block is ColumnRows {
  return "source" in block;
}

/** True when the rows lie in a record batch. */
export function isBatchRows(block: Block): block is BatchRows {
  return "batch" in block;
}

/** True when the rows are stored as elements. */
export function isItemRows(block: Block): block is ItemRows {
  return "items" in block;
}

/**
 * The elements of a block. Rows of columns and of record batches become dicts of leaves. A record-batch row that cannot be
 * converted becomes a `Failure`.
 */
export function itemsOf(block: Block): readonly unknown[] {
  if (isItemRows(block)) return block.items;
  if (isColumnRows(block)) return elementsOf(block.source, block.start, block.numRows);
  try {
    return elementsOf(block.batch.columns(), block.start, block.numRows);
  } catch {
    // Some row of the batch cannot be converted, but it may lie outside this block.
    return [...convertedRows(block)].flatMap(itemsOf);
  }
}

/**
 * Rows of a record batch as columns: one block, or several blocks when some rows cannot be converted. Each such row becomes
 * a `Failure`. Lazy: rows after a failure are converted on demand.
 */
export function* convertedRows(rows: BatchRows): Generator<ColumnRows | ItemRows, void, undefined> {
  const converted = convert(rows);
  if (converted !== undefined) {
    yield converted;
    return;
  }
  const middle = rows.numRows >> 1;
  yield* convertedRows(sliceRows(rows, 0, middle));
  yield* convertedRows(sliceRows(rows, middle, rows.numRows));
}

/** Rows `start` to `end` (exclusive), by reference. */
export function sliceBlock(block: Block, start: number, end: number): Block {
  if (start === 0 && end === block.numRows) return block;
  return isItemRows(block) ? blockOfItems(block.items.slice(start, end)) : sliceRows(block, start, end);
}

/** Rows `row[i]` of blocks `source[i]`, as one block. Copies. Returns items unless all blocks are of one other kind. */
export function gatherRows(blocks: readonly Block[], source: Uint32Array, row: Uint32Array): Block {
  if (blocks.every(isColumnRows)) {
    const ranges = singleRows(source, positionsIn(blocks, source, row));
    return blockOfColumns(
      gatherColumnBlocks(
        blocks.map((block) => block.source),
        ranges,
      ),
    );
  }
  if (blocks.every(isBatchRows)) {
    const ranges = singleRows(source, positionsIn(blocks, source, row));
    return gatherBatchRows(
      blocks.map((block) => block.batch),
      ranges,
    );
  }
  const items = blocks.map(itemsOf);
  return blockOfItems(Array.from(row, (index, i) => items[source[i] as number]?.[index]));
}

/** Joins blocks, in order, as columns. Adjacent parts of one column block become a slice of it; other parts are copied. */
export function joinColumns(blocks: readonly ColumnRows[]): ColumnBlock {
  const { source, start } = blocks[0] as ColumnRows;
  const end = endOfOneRange(blocks, (block) => block.source);
  if (end !== undefined) {
    return start === 0 && end === source.numRows ? source : sliceColumnBlock(source, start, end);
  }
  return gatherColumnBlocks(
    blocks.map((block) => block.source),
    rangesOfParts(blocks),
  );
}

/** Disposes the tensors of a block that will never be delivered. */
export function disposeBlock(block: Block): void {
  if (isItemRows(block)) disposeElements(block.items);
}

/** Converts rows; undefined when some of several rows cannot be converted. A single such row becomes a `Failure`. */
function convert(rows: BatchRows): ColumnRows | ItemRows | undefined {
  try {
    return blockOfColumns(convertBatch(joinBatchRows([rows]), rows.batch.conversion));
  } catch (error) {
    return rows.numRows === 1 ? blockOfItems([new Failure(errorInSlice(error, rows.start))]) : undefined;
  }
}

function elementsOf(block: ColumnBlock, start: number, numRows: number): readonly unknown[] {
  if (isLeafBlock(block)) return rowsOf(block.columns[""] as HostColumn, start, numRows);
  const { columns } = block;
  const names = Object.keys(columns);
  // An ordinary assignment would set the prototype.
  if (names.includes("__proto__")) {
    return Array.from({ length: numRows }, (_, row) =>
      Object.fromEntries(names.map((name) => [name, rowOf(columns[name] as HostColumn, start + row)])),
    );
  }
  // Copies of one template share its hidden class. Building each object from entries costs several times as much.
  const template = Object.fromEntries(names.map((name): [string, unknown] => [name, 0]));
  const elements: Record<string, unknown>[] = [];
  for (let row = 0; row < numRows; row++) elements.push({ ...template });
  for (const name of names) {
    const column = columns[name] as HostColumn;
    // Numbers are copied straight from the column's array into the elements.
    const plain = plainRowsOf(column)?.subarray(start, start + numRows) ?? rowsOf(column, start, numRows);
    for (let row = 0; row < numRows; row++) (elements[row] as (typeof elements)[0])[name] = plain[row];
  }
  return elements;
}

function sliceRows<Rows extends ColumnRows | BatchRows>(rows: Rows, start: number, end: number): Rows {
  return { ...rows, numRows: end - start, start: rows.start + start };
}

function positionsIn(
  blocks: readonly (ColumnRows | BatchRows)[],
  source: Uint32Array,
  row: Uint32Array,
): Uint32Array {
  if (blocks.every(({ start }) => start === 0)) return row;
  return row.map((index, i) => index + (blocks[source[i] as number]?.start as number));
}
