import { ConversionError } from "@tfxio/wire";
import type { HostSparse } from "../host/host-column.js";
import { outsideDimension } from "../host/outside-dimension.js";

/**
 * Returns the row splits of sparse values. The indices must be sorted by row and lie inside the dense shape.
 * @throws {ConversionError} `out-of-range` (`sparse-index`), `not-convertible` (`unsorted-indices`).
 */
export function sparseRowSplits({ indices, denseShape }: HostSparse): Int32Array {
  const rank = denseShape.length;
  const numRows = denseShape[0] as number;
  const rowSplits = new Int32Array(numRows + 1);
  const nnz = indices.length / rank;
  let last = 0;
  for (let at = 0; at < nnz; at++) {
    const row = indices[at * rank] as number;
    for (let dimension = 0; dimension < rank; dimension++) {
      const index = indices[at * rank + dimension] as number;
      const size = denseShape[dimension] as number;
      if (index < 0 || (size !== -1 && index >= size)) {
        throw outsideDimension(`Row ${row}`, { index, dimension, size, row });
      }
    }
    if (row < last) {
      throw new ConversionError(
        "not-convertible",
        `Index ${at} is in row ${row}, but the index before it is in row ${last}. Indices must be sorted by row.`,
        { reason: "unsorted-indices", row },
      );
    }
    last = row;
    rowSplits[row + 1] = at + 1;
  }
  for (let row = 0; row < numRows; row++) {
    rowSplits[row + 1] = Math.max(rowSplits[row + 1] as number, rowSplits[row] as number);
  }
  return rowSplits;
}
