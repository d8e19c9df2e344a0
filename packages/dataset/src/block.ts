import { type HostColumn, numRowsOf } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { gatherColumns, rowOf, sliceColumn } from "./columns/column-rows.js";
import { type RowRanges, singleRows, totalRows, wholeParts } from "./columns/row-ranges.js";
import { disposeElements } from "./structure.js";

/** Host columns by name. */
export type HostColumns = Readonly<Record<string, HostColumn>>;

/** Rows as host columns, all of `numRows` rows: one element per row, a dict of the columns' rows. */
export interface ColumnBlock<Columns extends HostColumns = HostColumns> {
  readonly numRows: number;
  readonly columns: Columns;
}

/** Rows as they are: elements of any structure, or a `Failure` in the place of one. */
export interface RowBlock {
  readonly numRows: number;
  readonly rows: readonly unknown[];
}

/** What operators exchange: one or more elements. */
export type Block = ColumnBlock | RowBlock;

/** Elements as a block. */
export function rowBlock(rows: readonly unknown[]): RowBlock {
  return { numRows: rows.length, rows };
}

/** True when the rows lie in columns. */
export function isColumnBlock(block: Block): block is ColumnBlock {
  return "columns" in block;
}

/** The elements of a block; rows of columns become dicts of leaves. */
export function rowsOf(block: Block): readonly unknown[] {
  if (!isColumnBlock(block)) return block.rows;
  const columns = Object.entries(block.columns);
  return Array.from({ length: block.numRows }, (_, row) => {
    const element: Record<string, unknown> = {};
    for (const [name, column] of columns) element[name] = rowOf(column, row);
    return element;
  });
}

/** Rows `start` to `end` (exclusive); the block itself when that is all of them. */
export function sliceBlock(block: Block, start: number, end: number): Block {
  if (start === 0 && end === block.numRows) return block;
  if (!isColumnBlock(block)) return rowBlock(block.rows.slice(start, end));
  return {
    numRows: end - start,
    columns: mapColumns(block.columns, (column) => sliceColumn(column, start, end)),
  };
}

/** Rows `row[i]` of blocks `part[i]`. Columns are copied; rows when one of the blocks is a row block. */
export function gatherRows(blocks: readonly Block[], part: Int32Array, row: Int32Array): Block {
  if (blocks.every(isColumnBlock)) return gatherBlocks(blocks, singleRows(part, row));
  const rows = blocks.map(rowsOf);
  return rowBlock(Array.from(row, (index, i) => rows[part[i] as number]?.[index]));
}

/** All rows of blocks, one block after the other, as columns. A single block is not copied. */
export function concatColumnBlocks(blocks: readonly ColumnBlock[]): ColumnBlock {
  const [first] = blocks;
  if (first !== undefined && blocks.length === 1) return first;
  return gatherBlocks(blocks, wholeParts(blocks.map((block) => block.numRows)));
}

/** Disposes the tensors of a block that nobody will receive. */
export function disposeBlock(block: Block): void {
  if (!isColumnBlock(block)) disposeElements(block.rows);
}

/** Throws unless every column has `numRows` rows. @throws {ConversionError} `shape-mismatch` */
export function assertColumnBlock({ numRows, columns }: ColumnBlock): void {
  for (const [name, column] of Object.entries(columns)) {
    if (numRowsOf(column) === numRows) continue;
    throw new ConversionError(
      "shape-mismatch",
      `component "${name}" has ${numRowsOf(column)} rows, expected ${numRows} as its block says`,
      { tensorName: name },
    );
  }
}

function gatherBlocks(blocks: readonly ColumnBlock[], ranges: RowRanges): ColumnBlock {
  const [first] = blocks as readonly [ColumnBlock, ...ColumnBlock[]];
  const names = Object.keys(first.columns);
  for (const block of blocks) assertNames(names, Object.keys(block.columns));
  return {
    numRows: totalRows(ranges),
    columns: mapColumns(first.columns, (_, name) =>
      gatherColumns(
        blocks.map((block) => block.columns[name] as HostColumn),
        ranges,
        name,
      ),
    ),
  };
}

function assertNames(expected: readonly string[], found: readonly string[]): void {
  if (found.length === expected.length && expected.every((name) => found.includes(name))) return;
  throw new ConversionError(
    "shape-mismatch",
    `found components [${found.join(", ")}] after [${expected.join(", ")}], expected the same in every block`,
  );
}

function mapColumns(
  columns: HostColumns,
  f: (column: HostColumn, name: string) => HostColumn,
): Record<string, HostColumn> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, f(column, name)]));
}
