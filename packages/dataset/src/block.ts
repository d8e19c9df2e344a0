import { assertColumnBlock, type ColumnBlock, gatherColumnBlocks, sliceColumnBlock } from "./column-block.js";
import { rowOf } from "./columns/column-rows.js";
import { singleRows } from "./columns/row-ranges.js";
import { disposeElements } from "./structure.js";

/** Rows `start` to `start + numRows` (exclusive) of a column block, by reference: to cut one costs nothing. */
export interface ColumnRows {
  readonly numRows: number;
  readonly source: ColumnBlock;
  readonly start: number;
}

/** Rows as they are: elements of any structure, or a `Failure` in the place of one. */
export interface ItemRows {
  readonly numRows: number;
  readonly items: readonly unknown[];
}

/** What operators exchange: one or more elements. */
export type Block = ColumnRows | ItemRows;

/** Elements as a block. */
export function blockOfItems(items: readonly unknown[]): ItemRows {
  return { numRows: items.length, items };
}

/**
 * All rows of a column block.
 * @throws {ArgumentError} `invalid-argument` when it is none.
 * @throws {ConversionError} `shape-mismatch` when its columns differ in length.
 */
export function blockOfColumns(source: ColumnBlock): ColumnRows {
  assertColumnBlock(source);
  return { numRows: source.numRows, source, start: 0 };
}

/** True when the rows lie in columns. */
export function isColumnRows(block: Block): block is ColumnRows {
  return "source" in block;
}

/** The elements of a block; rows of columns become dicts of leaves. */
export function itemsOf(block: Block): readonly unknown[] {
  if (!isColumnRows(block)) return block.items;
  const columns = Object.entries(block.source.columns);
  return Array.from({ length: block.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, column]) => [name, rowOf(column, block.start + row)])),
  );
}

/** Rows `start` to `end` (exclusive), by reference. */
export function sliceBlock(block: Block, start: number, end: number): Block {
  return isColumnRows(block)
    ? { numRows: end - start, source: block.source, start: block.start + start }
    : blockOfItems(block.items.slice(start, end));
}

/** Rows `row[i]` of blocks `part[i]`: columns are copied; items when one of the blocks holds items. */
export function gatherRows(blocks: readonly Block[], part: Int32Array, row: Int32Array): Block {
  if (!blocks.every(isColumnRows)) {
    const items = blocks.map(itemsOf);
    return blockOfItems(Array.from(row, (index, i) => items[part[i] as number]?.[index]));
  }
  const { sources, sourceOf } = distinctSources(blocks);
  const ranges = singleRows(
    part.map((block) => sourceOf[block] as number),
    row.map((index, i) => index + (blocks[part[i] as number] as ColumnRows).start),
  );
  return blockOfColumns(gatherColumnBlocks(sources, ranges));
}

/** All rows, one block after the other, as columns. Whole column blocks are not copied, parts of one are viewed. */
export function joinColumns(blocks: readonly ColumnRows[]): ColumnBlock {
  const [first] = blocks as readonly [ColumnRows, ...ColumnRows[]];
  let end = first.start;
  const isOneRange = blocks.every((block) => {
    const follows = block.source === first.source && block.start === end;
    end += block.numRows;
    return follows;
  });
  if (isOneRange) {
    const isWhole = first.start === 0 && end === first.source.numRows;
    return isWhole ? first.source : sliceColumnBlock(first.source, first.start, end);
  }
  const { sources, sourceOf } = distinctSources(blocks);
  return gatherColumnBlocks(sources, {
    count: blocks.length,
    part: Int32Array.from(sourceOf),
    start: Int32Array.from(blocks, (block) => block.start),
    end: Int32Array.from(blocks, (block) => block.start + block.numRows),
  });
}

/** Disposes the tensors of a block that nobody will receive. */
export function disposeBlock(block: Block): void {
  if (!isColumnRows(block)) disposeElements(block.items);
}

function distinctSources(blocks: readonly ColumnRows[]): { sources: ColumnBlock[]; sourceOf: number[] } {
  const positions = new Map<ColumnBlock, number>();
  const sourceOf = blocks.map(({ source }) => {
    const position = positions.get(source) ?? positions.size;
    positions.set(source, position);
    return position;
  });
  return { sources: [...positions.keys()], sourceOf };
}
