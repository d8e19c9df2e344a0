import type { HostColumn } from "../host/host-column.js";

/** Returns the batch row that contains value `index` of a host column. */
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

/** Returns the number of elements of a shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Returns the batch row that contains element `index` of the innermost lists. `nestedRowSplits` are outermost first. */
export function rowOf(index: number, nestedRowSplits: readonly Int32Array[]): number {
  return nestedRowSplits.reduceRight((position, splits) => lastAtOrBelow(splits, position), index);
}

function lastAtOrBelow(splits: Int32Array, position: number): number {
  let low = 0;
  let high = splits.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((splits[middle] as number) <= position) low = middle;
    else high = middle;
  }
  return low;
}
