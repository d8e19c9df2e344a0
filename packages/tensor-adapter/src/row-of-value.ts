import type { HostColumn } from "./host-column.js";
import { rowOf } from "./tensor-handler.js";

/** The row of the batch that value `index` of a host column belongs to. */
export function rowOfValue(column: HostColumn, index: number): number {
  switch (column.kind) {
    case "dense":
      return Math.floor(index / sizeOf(column.shape.slice(1)));
    case "sparse":
      return column.indices[index * column.denseShape.length] as number;
    case "ragged":
      return rowOf(Math.floor(index / sizeOf(column.innerShape)), column.nestedRowSplits);
  }
}

/** Number of elements of a shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
