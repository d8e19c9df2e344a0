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

/** Wraps elements as a block. Borrows the array. */
export function blockOfItems(items: readonly unknown[]): ItemRows {
  return { numRows: items.length, items };
}

/** Returns all rows of a column block, by reference. */
export function blockOfColumns(source: ColumnBlock): ColumnRows {
  return { numRows: source.numRows, source, start: 0 };
}

/** Returns true if the rows are in columns. */
export function isColumnRows(block: Block): block is ColumnRows {
  return "source" in block;
}

/** Returns true if the rows are in a record batch. */
export function isBatchRows(block: Block): block is BatchRows {
  return "batch" in block;
}

/** Returns true if the rows are stored as elements. */
export function isItemRows(block: Block): block is ItemRows {
  return "items" in block;
}

/**
 * Returns the elements of a block. Rows in columns or in a record batch become dicts of leaves, or plain leaves if the only
 * column is unnamed. A record-batch row that cannot be converted becomes a `Failure`.
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
 * Converts rows of a record batch to columns. Yields one block, or several blocks if some rows cannot be converted. Finds those
 * rows by repeatedly halving the range, and replaces each of them with a `Failure`. Converts the rows after a failure only on
 * demand.
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

/** Returns rows `start` to `end` (exclusive) of a block, by reference. */
export function sliceBlock(block: Block, start: number, end: number): Block {
  if (start === 0 && end === block.numRows) return block;
  return isItemRows(block) ? blockOfItems(block.items.slice(start, end)) : sliceRows(block, start, end);
}

/**
 * Copies row `row[i]` of block `source[i]`, for each i, into one block. If all blocks hold columns, or all hold record batches,
 * so does the result. Otherwise it holds items.
 */
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

/** Joins blocks, in order, into one column block: a slice if they are consecutive rows of one source, otherwise a copy. */
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

/** Disposes the tensors of a block that is no longer needed. */
export function disposeBlock(block: Block): void {
  if (isItemRows(block)) disposeElements(block.items);
}

/** Converts rows to columns. If that fails, returns undefined, or a block with a `Failure` if there is only one row. */
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
  // Assigning to `__proto__` would set the prototype. `fromEntries` defines an ordinary property.
  if (names.includes("__proto__")) {
    return Array.from({ length: numRows }, (_, row) =>
      Object.fromEntries(names.map((name) => [name, rowOf(columns[name] as HostColumn, start + row)])),
    );
  }
  // Copying a template is several times faster than building each object from entries, because all copies share a hidden class.
  const template = Object.fromEntries(names.map((name): [string, unknown] => [name, 0]));
  const elements: Record<string, unknown>[] = [];
  for (let row = 0; row < numRows; row++) elements.push({ ...template });
  for (const name of names) {
    const column = columns[name] as HostColumn;
    // Numbers need no conversion, so they are copied directly from the array of the column.
    const plain = plainRowsOf(column)?.subarray(start, start + numRows) ?? rowsOf(column, start, numRows);
    for (let row = 0; row < numRows; row++) (elements[row] as (typeof elements)[0])[name] = plain[row];
  }
  return elements;
}

function sliceRows<Rows extends ColumnRows | BatchRows>(rows: Rows, start: number, end: number): Rows {
  return { ...rows, numRows: end - start, start: rows.start + start };
}

/** Converts row numbers within blocks to row numbers within the columns or batches that the blocks refer to. */
function positionsIn(
  blocks: readonly (ColumnRows | BatchRows)[],
  source: Uint32Array,
  row: Uint32Array,
): Uint32Array {
  if (blocks.every(({ start }) => start === 0)) return row;
  return row.map((index, i) => index + (blocks[source[i] as number]?.start as number));
}
