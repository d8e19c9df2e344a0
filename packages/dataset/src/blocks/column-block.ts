import { type HostColumn, type HostColumns, numRowsOf } from "@tfxio/tensor-adapter";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { gatherColumns, sliceColumn } from "../columns/column-rows.js";
import { type RowRanges, totalRows } from "../columns/row-ranges.js";
import { isHostColumn } from "../columns/structure.js";

/** Rows stored as host columns of `numRows` rows each. Each row is one element: a dict with one leaf for each column. */
export interface ColumnBlock<Columns extends HostColumns = HostColumns> {
  readonly numRows: number;
  readonly columns: Columns;
}

/** A block of one column, named `""`. Its elements are the rows of that column rather than dicts. */
interface LeafBlock extends ColumnBlock {
  readonly isLeaf: true;
}

/** Returns true if the elements of a block are the rows of its only column. */
export function isLeafBlock(block: ColumnBlock): block is LeafBlock {
  return "isLeaf" in block;
}

/** Wraps a column as a block of leaves. Borrows the column. @param numRows Number of rows of the column. */
export function leafBlock(column: HostColumn, numRows: number): ColumnBlock {
  const block: LeafBlock = { numRows, columns: { "": column }, isLeaf: true };
  return block;
}

/** Returns all rows as one batched element: a dict of columns, or the only column of a block of leaves. */
export function batchedElement(block: ColumnBlock): HostColumn | HostColumns {
  return isLeafBlock(block) ? (block.columns[""] as HostColumn) : block.columns;
}

/**
 * Asserts that `block` is a column block and that every column has `numRows` rows.
 * @param operator Name of the operator, for error messages.
 * @param argument Name of the operator's function that returned the block.
 * @throws {ArgumentError} `invalid-argument` for any other value, which an untyped function may return.
 * @throws {ConversionError} `shape-mismatch` for a column with a different number of rows.
 */
export function assertColumnBlock(block: ColumnBlock, operator: string, argument: string): void {
  const { numRows, columns } = (block ?? {}) as Partial<ColumnBlock>;
  const notABlock = (found: string): ArgumentError =>
    new ArgumentError(
      "invalid-argument",
      `${operator}: ${found}, but a block must be { numRows, columns } with dense, sparse or ragged columns.`,
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
      `Component "${name}" has ${numRowsOf(column)} rows, but must have ${numRows} rows like its block.`,
      { tensorName: name },
    );
  }
}

/** Returns rows `start` to `end` (exclusive) as a block. Dense columns become views. Sparse and ragged columns are copied. */
export function sliceColumnBlock(block: ColumnBlock, start: number, end: number): ColumnBlock {
  const columns = mapColumns(block.columns, (column) => sliceColumn(column, start, end));
  return { ...block, numRows: end - start, columns };
}

/**
 * Copies row ranges of several blocks into one block.
 * @throws {ConversionError} `shape-mismatch` if the blocks differ in the names or layouts of their columns.
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
    `Found components [${others.join(", ")}] after [${names.join(", ")}], but all blocks must have the same components.`,
  );
}

function mapColumns(
  columns: HostColumns,
  f: (column: HostColumn, name: string) => HostColumn,
): Record<string, HostColumn> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, f(column, name)]));
}
