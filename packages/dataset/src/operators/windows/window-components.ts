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

/** Wraps the rows of one component into a dataset. */
type ToDataset = (parts: readonly Block[]) => unknown;

/**
 * The rows of a window in the structure of an element, with a dataset for each leaf. Columns stay columns.
 * @throws as the conversion of record-batch rows.
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

/** Elements of different structures become one dataset of whole elements. */
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

function hasComponents(element: unknown, components: readonly (readonly [string, unknown])[]): boolean {
  const found = componentsOf(element);
  if (found?.length !== components.length) return false;
  const keys = new Set(found.map(([key]) => key));
  return components.every(([key]) => keys.has(key));
}

/** Rows of a column block. Record-batch rows are converted with their whole batch, once. */
interface ColumnPart {
  readonly numRows: number;
  readonly source: ColumnBlock;
  readonly start: number;
}

function columnRowsOf(part: Block): ColumnPart | undefined {
  if (isItemRows(part)) return undefined;
  if (isColumnRows(part)) return part;
  return isBatchRows(part)
    ? { numRows: part.numRows, source: part.batch.columns(), start: part.start }
    : undefined;
}

/** Single-component blocks, cached by their source block, so that rows of one source can be joined as views. */
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
