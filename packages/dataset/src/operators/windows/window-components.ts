import type { HostColumn } from "@tfxio/tensor-adapter";
import {
  type Block,
  blockOfItems,
  isBatchRows,
  isColumnRows,
  isItemRows,
  itemsOf,
} from "../../blocks/block.js";
import { type ColumnBlock, isLeafBlock, leafBlock } from "../../blocks/column-block.js";
import { componentsOf, withComponents } from "../../columns/structure.js";

/** Wraps the rows of one component in a dataset. */
type ToDataset = (parts: readonly Block[]) => unknown;

/**
 * Returns a value with the structure of the elements of a window, with a dataset in place of each leaf. If any part of the window
 * consists of items, all rows become items. Otherwise, all rows become columns.
 * @throws The errors of `convertBatch` if the rows are in record batches.
 */
export function datasetsOfComponents(parts: readonly Block[], toDataset: ToDataset): unknown {
  const asColumns = parts.map(columnRowsOf);
  if (asColumns.every((part) => part !== undefined)) return datasetsOfColumns(asColumns, toDataset);
  return datasetsOfItems(parts.flatMap(itemsOf), toDataset);
}

function datasetsOfColumns(parts: readonly ColumnPart[], toDataset: ToDataset): unknown {
  const { source } = parts[0] as ColumnPart;
  if (isLeafBlock(source)) return toDataset(parts);
  return Object.fromEntries(
    Object.keys(source.columns).map((name) => [
      name,
      toDataset(parts.map((part) => ({ ...part, source: componentOf(part.source, name) }))),
    ]),
  );
}

/** Makes a dataset of each component, at every level. Elements of different structures become one dataset of whole elements. */
function datasetsOfItems(elements: readonly unknown[], toDataset: ToDataset): unknown {
  const [first] = elements;
  const components = componentsOf(first);
  if (components === undefined || !elements.every((element) => hasComponents(element, components))) {
    return toDataset([blockOfItems(elements)]);
  }
  return withComponents(
    first,
    components.map(([key]) => {
      const column = elements.map((element) => (element as Readonly<Record<string, unknown>>)[key]);
      return [key, datasetsOfItems(column, toDataset)] as const;
    }),
  );
}

/** Returns true if `element` has exactly the keys of `components`, in any order. */
function hasComponents(element: unknown, components: readonly (readonly [string, unknown])[]): boolean {
  const found = componentsOf(element);
  if (found?.length !== components.length) return false;
  const keys = new Set(found.map(([key]) => key));
  return components.every(([key]) => keys.has(key));
}

/** Rows `start` to `start + numRows` (exclusive) of a column block. */
interface ColumnPart {
  readonly numRows: number;
  readonly source: ColumnBlock;
  readonly start: number;
}

/** Returns rows as column rows, or undefined for items. For rows of a record batch, converts the whole batch, and only once. */
function columnRowsOf(part: Block): ColumnPart | undefined {
  if (isItemRows(part)) return undefined;
  if (isColumnRows(part)) return part;
  return isBatchRows(part)
    ? { numRows: part.numRows, source: part.batch.columns(), start: part.start }
    : undefined;
}

/**
 * The single-component blocks of each source block, by component name. All windows of a source share these blocks, so that rows
 * of several windows can be joined as views.
 */
const componentBlocks: WeakMap<ColumnBlock, Map<string, ColumnBlock>> = new WeakMap();

function componentOf(source: ColumnBlock, name: string): ColumnBlock {
  let byName = componentBlocks.get(source);
  if (byName === undefined) componentBlocks.set(source, (byName = new Map()));
  let block = byName.get(name);
  if (block === undefined) {
    byName.set(name, (block = leafBlock(source.columns[name] as HostColumn, source.numRows)));
  }
  return block;
}
