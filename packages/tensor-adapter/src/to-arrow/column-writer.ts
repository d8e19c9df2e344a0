import type { ExampleListType } from "@tfxio/arrow-encoding";
import type { TensorRepresentation } from "@tfxio/schema";
import type { Data, Field } from "apache-arrow";
import type { HostColumn } from "../host/host-column.js";
import type { UsedMemory } from "./used-memory.js";

/** Writes one tensor of every batch as columns. */
export interface ColumnWriter {
  /** One for each column, in their order. */
  readonly fields: readonly Field[];
  /** What makes the same tensor of these columns again. */
  readonly representation: TensorRepresentation;
  /**
   * @param column of the spec that the writer was made for, and checked by `assertHostColumn`.
   * @param used memory of the batch so far.
   * @throws {ConversionError} without the tensor's name, which the converter adds.
   */
  write(column: HostColumn, used: UsedMemory): readonly Data[];
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
