import { columnElements, leafValues, listElements } from "@tfxio/arrow-encoding";
import type { HostColumn, HostDense, HostSparse, HostValues } from "@tfxio/tensor-adapter";
import type { Data, RecordBatch } from "apache-arrow";
import { type Block, blockOfColumns, blockOfItems } from "../blocks/block.js";
import { leafBlock } from "../blocks/column-block.js";
import { columnOfOne, gatherColumns, rowOf } from "../columns/column-rows.js";
import { sliceValues } from "../columns/gather-values.js";
import { wholeSources } from "../columns/row-ranges.js";
import { isRows, type LeafRows } from "./encode-elements.js";
import { elementOf, leavesOf, type StoredLeaf, type StoredStructure } from "./stored-structure.js";

/**
 * Decodes the elements of a stored record batch. Borrows its buffers where possible.
 * @param structure From the metadata of the batch's schema.
 */
export function storedElements(batch: RecordBatch, structure: StoredStructure): Block {
  return blockOfLeaves(
    batch.numRows,
    structure,
    leavesOf(structure).map(({ leaf }) => leafRowsOf(batch, leaf)),
  );
}

/**
 * Builds a block of elements from the rows of their leaves. Elements that are a single leaf or a dict of leaves stay in columns,
 * unless an item of `leaves` is a list of separate rows. All other elements become items.
 * @param leaves In the order of the structure.
 */
export function blockOfLeaves(
  numRows: number,
  structure: StoredStructure,
  leaves: readonly LeafRows[],
): Block {
  const columns = leaves.filter((leaf): leaf is HostColumn => !isRows(leaf));
  if (columns.length === leaves.length) {
    if ("leaf" in structure) return blockOfColumns(leafBlock(columns[0] as HostColumn, numRows));
    if ("dict" in structure && structure.dict.every(([, part]) => "leaf" in part)) {
      const named = structure.dict.map(([key], index) => [key, columns[index] as HostColumn] as const);
      return blockOfColumns({ numRows, columns: Object.fromEntries(named) });
    }
  }
  return blockOfItems(
    Array.from({ length: numRows }, (_, row) => {
      let next = 0;
      return elementOf(structure, () => {
        const leaf = leaves[next++] as LeafRows;
        return isRows(leaf) ? leaf[row] : rowOf(leaf, row);
      });
    }),
  );
}

function leafRowsOf(batch: RecordBatch, leaf: StoredLeaf): LeafRows {
  const column = (offset: number): Data => batch.data.children[leaf.column + offset] as Data;
  const { dtype } = leaf;
  const { numRows } = batch;
  if (leaf.kind === "ragged") return raggedColumn(column(0), leaf);
  if (leaf.kind === "dense" && leaf.rank === 0) {
    return { kind: "dense", dtype, shape: [numRows], values: flatOf(column(0)), borrowed: true };
  }
  const { splits, values } = listOf(column(0));
  const shapes =
    leaf.kind === "dense" && leaf.rank === 1
      ? Array.from({ length: numRows }, (_, row) => [(splits[row + 1] as number) - (splits[row] as number)])
      : rowsOf(column(leaf.kind === "sparse" ? 2 : 1));
  const row = (index: number): HostDense => ({
    kind: "dense",
    dtype,
    shape: shapes[index] as readonly number[],
    values: sliceValues(values, splits[index] as number, splits[index + 1] as number),
    borrowed: true,
  });
  const rows = Array.from({ length: numRows }, (_, index) => row(index));
  if (leaf.kind === "sparse") return sparseLeaf(rows, rowsOf(column(1)));
  if (!areEqual(shapes)) return rows;
  return { kind: "dense", dtype, shape: [numRows, ...(shapes[0] ?? [])], values, borrowed: true };
}

/**
 * Returns sparse rows as one column if their shapes are equal, otherwise as separate rows.
 * @param rows Dense rows with the values and the shape of each sparse row.
 * @param indices Indices of each row in row-major order, without the batch dimension.
 */
function sparseLeaf(rows: readonly HostDense[], indices: readonly (readonly number[])[]): LeafRows {
  const sparse = rows.map(
    ({ dtype, shape, values }, row): HostSparse => ({
      kind: "sparse",
      dtype,
      indices: Int32Array.from(indices[row] ?? []),
      values,
      denseShape: shape,
      borrowed: true,
    }),
  );
  if (!areEqual(sparse.map(({ denseShape }) => denseShape))) return sparse;
  return gatherColumns(sparse.map(columnOfOne), wholeSources(sparse.map(() => 1)), "");
}

/** Returns true if all shapes are equal. The caller ensures that their ranks are equal. */
function areEqual(shapes: readonly (readonly number[])[]): boolean {
  const [first = []] = shapes;
  return shapes.every((shape) => shape.every((size, d) => size === first[d]));
}

function raggedColumn(data: Data, leaf: StoredLeaf & { readonly kind: "ragged" }): HostColumn {
  const { dtype, levels, innerShape, rowSplitsDtype } = leaf;
  const innerSize = innerShape.reduce((product, size) => product * size, 1);
  const splits: Int32Array[] = [];
  let elements = columnElements(data);
  for (let level = 0; level < levels; level++) {
    const list = listElements(elements);
    splits.push(list.rowSplits);
    elements = list.elements;
  }
  const innermost = splits.at(-1) as Int32Array;
  splits[levels - 1] = innerSize === 1 ? innermost : innermost.map((split) => split / innerSize);
  const values = leafValues(elements);
  return {
    kind: "ragged",
    dtype,
    values,
    nestedRowSplits: splits,
    innerShape,
    rowSplitsDtype,
    borrowed: true,
  };
}

function listOf(data: Data): { readonly splits: Int32Array; readonly values: HostValues } {
  const { rowSplits, elements } = listElements(columnElements(data));
  return { splits: rowSplits, values: leafValues(elements) };
}

function rowsOf(data: Data): readonly (readonly number[])[] {
  const { splits, values } = listOf(data);
  const numbers = values as Int32Array;
  return Array.from({ length: splits.length - 1 }, (_, row) => [
    ...numbers.subarray(splits[row] as number, splits[row + 1] as number),
  ]);
}

function flatOf(data: Data): HostValues {
  return leafValues(columnElements(data));
}
