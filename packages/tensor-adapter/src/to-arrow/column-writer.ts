import type { ExampleListType } from "@tfxio/arrow-encoding";
import type { TensorRepresentation } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import type { Data, Field } from "apache-arrow";
import type { HostColumn } from "../host-column.js";

/** Writes one tensor of every batch as columns. */
export interface ColumnWriter {
  /** One for each column, in their order. */
  readonly fields: readonly Field[];
  /** What makes the same tensor of these columns again. */
  readonly representation: TensorRepresentation;
  /**
   * @param column of the spec that the writer was made for, and checked by `assertHostColumn`.
   * @throws {ConversionError} without the tensor's name, which the converter adds.
   */
  write(column: HostColumn): readonly Data[];
}

/** What writers need to know beside a tensor's spec. */
export interface WriterOptions {
  readonly listType: ExampleListType;
  /** Name of the column that holds the values of a sparse tensor with index columns. */
  readonly valueColumn: string;
  /** Name of the column that holds the indices of one dimension of it, the first after the batch being 0. */
  readonly indexColumn: (dimension: number) => string;
  /** True to give a two-dimensional sparse tensor index columns as well. */
  readonly isGenericSparse: boolean;
}

/** Row splits of sparse values, whose indices have to come row by row. */
export function sparseRowSplits(indices: Int32Array, rank: number, numRows: number): Int32Array {
  const rowSplits = new Int32Array(numRows + 1);
  const nnz = indices.length / rank;
  let last = 0;
  for (let at = 0; at < nnz; at++) {
    const row = indices[at * rank] as number;
    if (row < last || row >= numRows) {
      throw new ConversionError(
        "not-convertible",
        `Index ${at} is of row ${row}, after row ${last} of ${numRows} rows; indices have to be sorted by row.`,
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
