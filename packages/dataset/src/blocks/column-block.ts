import { type HostColumn, type HostColumns, numRowsOf } from "@tfxio/tensor-adapter";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { gatherColumns, sliceColumn } from "../columns/column-rows.js";
import { type RowRanges, totalRows } from "../columns/row-ranges.js";
import { isHostColumn } from "../columns/structure.js";

/** Rows as host columns, all of `numRows` rows: one element per row, a dict of the columns' rows. */
export interface ColumnBlock<Columns extends HostColumns = HostColumns> {
  readonly numRows: number;
  readonly columns: Columns;
}

/** A block of one column, named `""`, whose elements are that column's rows themselves instead of dicts. */
interface LeafBlock extends ColumnBlock {
  readonly isLeaf: true;
}

/** True when the elements of a block are the rows of its only column. */
export function isLeafBlock(block: ColumnBlock): block is LeafBlock {
  return "isLeaf" in block;
}

/** A column as a block of leaves. @param numRows of the column. */
export function leafBlock(column: HostColumn, numRows: number): ColumnBlock {
  const block: LeafBlock = { numRows, columns: { "": column }, isLeaf: true };
  return block;
}

/** All rows as one element: the batch that they make. */
export function batchedElement(block: ColumnBlock): HostColumn | HostColumns {
  return isLeafBlock(block) ? (block.columns[""] as HostColumn) : block.columns;
}

/**
 * Throws unless it is a block and every column has `numRows` rows.
 * @param operator that was given the block, by its `argument`.
 * @throws {ArgumentError} `invalid-argument`, for what a factory may give without types.
 * @throws {ConversionError} `shape-mismatch`
 */
export function assertColumnBlock(block: ColumnBlock, operator: string, argument: string): void {
  const { numRows, columns } = (block ?? {}) as Partial<ColumnBlock>;
  const notABlock = (found: string): ArgumentError =>
    new ArgumentError(
      "invalid-argument",
      `${operator}: ${found}, expected { numRows, columns } with columns that are dense, sparse or ragged`,
      { argument },
    );
  if (!Number.isSafeInteger(numRows) || typeof columns !== "object" || columns === null) {
    throw notABlock(`a block has numRows ${String(numRows)} and columns ${String(columns)}`);
  }
  for (const [name, column] of Object.entries(columns)) {
    if (!isHostColumn(column)) throw notABlock(`component "${name}" is not a host column`);
    if (numRowsOf(column) === numRows) continue;
    throw new ConversionError(
      "shape-mismatch",
      `component "${name}" has ${numRowsOf(column)} rows, expected the ${numRows} rows of its block`,
      { tensorName: name },
    );
  }
}

/** Rows `start` to `end` (exclusive): views of dense columns, copies of the others. */
export function sliceColumnBlock(block: ColumnBlock, start: number, end: number): ColumnBlock {
  const columns = mapColumns(block.columns, (column) => sliceColumn(column, start, end));
  return { ...block, numRows: end - start, columns };
}

/**
 * Ranges of rows of several blocks as one block. Copies.
 * @throws {ConversionError} `shape-mismatch` when the blocks differ in their columns or their columns in layout.
 */
export function gatherColumnBlocks(blocks: readonly ColumnBlock[], ranges: RowRanges): ColumnBlock {
  const [first] = blocks as readonly [ColumnBlock];
  const { columns } = first;
  for (const block of blocks) assertSameNames(columns, block.columns);
  return {
    ...first,
    numRows: totalRows(ranges),
    columns: mapColumns(columns, (_, name) =>
      gatherColumns(
        blocks.map((block) => block.columns[name] as HostColumn),
        ranges,
        name,
      ),
    ),
  };
}

function assertSameNames(expected: HostColumns, found: HostColumns): void {
  if (found === expected) return;
  const names = Object.keys(expected);
  const others = Object.keys(found);
  if (others.length === names.length && names.every((name) => Object.hasOwn(found, name))) return;
  throw new ConversionError(
    "shape-mismatch",
    `found components [${others.join(", ")}] after [${names.join(", ")}], expected the same in every block`,
  );
}

function mapColumns(
  columns: HostColumns,
  f: (column: HostColumn, name: string) => HostColumn,
): Record<string, HostColumn> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, f(column, name)]));
}
