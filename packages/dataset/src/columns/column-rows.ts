import type { HostColumn, HostDense, HostRagged, HostSparse } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { denseRow, denseRowsOf, gatherDense, sliceDense } from "./dense-rows.js";
import { gatherRagged, raggedColumnOfOne, raggedRow } from "./ragged-rows.js";
import { type RowRanges, oneRange } from "./row-ranges.js";
import { gatherSparse, sparseColumnOfOne, sparseRow } from "./sparse-rows.js";

/**
 * One row of a host column, without the batch dimension. Dense scalars other than float16 are plain values. A string is a
 * `Uint8Array` of its bytes.
 */
export type RowLeaf = number | bigint | boolean | Uint8Array | HostColumn;

/**
 * Copies row ranges of one or more columns into one column.
 * @param name Name of the component, for error messages.
 * @throws {ConversionError} `shape-mismatch` if the columns differ in layout: see {@link hasLayoutOf}.
 */
export function gatherColumns(parts: readonly HostColumn[], ranges: RowRanges, name: string): HostColumn {
  const first = parts[0] as HostColumn;
  for (const part of parts) {
    if (part === first || hasLayoutOf(part, first)) continue;
    const rows = name === "" ? "All rows" : `All rows of component "${name}"`;
    throw new ConversionError(
      "shape-mismatch",
      `${rows} must have the same layout, found ${layoutOf(part)} after ${layoutOf(first)}.`,
      { tensorName: name },
    );
  }
  switch (first.kind) {
    case "dense":
      return gatherDense(parts as readonly HostDense[], ranges);
    case "sparse":
      return gatherSparse(parts as readonly HostSparse[], ranges);
    case "ragged":
      return gatherRagged(parts as readonly HostRagged[], ranges);
  }
}

/** Returns rows `start` to `end` (exclusive): a view of a dense column, or a copy of a sparse or ragged one. */
export function sliceColumn(column: HostColumn, start: number, end: number): HostColumn {
  return column.kind === "dense"
    ? sliceDense(column, start, end)
    : gatherColumns([column], oneRange(start, end), "");
}

/** Returns row `index` as a leaf of an element. Copies sparse and ragged rows, but not dense rows. */
export function rowOf(column: HostColumn, index: number): RowLeaf {
  switch (column.kind) {
    case "dense":
      return denseRow(column, index);
    case "sparse":
      return sparseRow(column, index);
    case "ragged":
      return raggedRow(column, index);
  }
}

/** Returns rows `start` to `start + numRows` (exclusive) as leaves of elements. */
export function rowsOf(column: HostColumn, start: number, numRows: number): readonly RowLeaf[] {
  if (column.kind !== "dense") return Array.from({ length: numRows }, (_, row) => rowOf(column, start + row));
  return denseRowsOf(column, start, numRows);
}

/** Returns a leaf as a column of one row. Borrows the values. */
export function columnOfOne(leaf: HostColumn): HostColumn {
  switch (leaf.kind) {
    case "dense":
      return { ...leaf, shape: [1, ...leaf.shape] };
    case "sparse":
      return sparseColumnOfOne(leaf);
    case "ragged":
      return raggedColumnOfOne(leaf);
  }
}

/**
 * Returns true if the rows of both columns fit into one column. Their kinds and dtypes must be equal. Dense columns must also
 * have equal row shapes, sparse columns equal ranks, and ragged columns equal ragged ranks and inner shapes.
 */
export function hasLayoutOf(column: HostColumn, other: HostColumn): boolean {
  if (column.kind !== other.kind || column.dtype !== other.dtype) return false;
  switch (column.kind) {
    case "dense":
      return sameSizes(column.shape, (other as HostDense).shape, 1);
    case "sparse":
      return column.denseShape.length === (other as HostSparse).denseShape.length;
    case "ragged":
      return (
        column.nestedRowSplits.length === (other as HostRagged).nestedRowSplits.length &&
        sameSizes(column.innerShape, (other as HostRagged).innerShape, 0)
      );
  }
}

/** Returns true if two shapes have equal ranks and are equal from dimension `from` on. */
function sameSizes(shape: readonly number[], other: readonly number[], from: number): boolean {
  if (shape.length !== other.length) return false;
  for (let d = from; d < shape.length; d++) if (shape[d] !== other[d]) return false;
  return true;
}

/** Describes in words the layout that {@link hasLayoutOf} compares. */
export function layoutOf(column: HostColumn): string {
  switch (column.kind) {
    case "dense":
      return `dense ${column.dtype} of row shape [${column.shape.slice(1).join(", ")}]`;
    case "sparse":
      return `sparse ${column.dtype} of rank ${column.denseShape.length}`;
    case "ragged":
      return `ragged ${column.dtype} of ragged rank ${column.nestedRowSplits.length} and inner shape [${column.innerShape.join(", ")}]`;
  }
}
