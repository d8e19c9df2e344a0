import type { ExampleListType } from "@tfxio/arrow-encoding";
import type { TensorRepresentation } from "@tfxio/schema";
import type { Data, Field } from "apache-arrow";
import type { HostColumn } from "../host/host-column.js";
import type { UsedMemory } from "./used-memory.js";

/** Writes one tensor as columns, batch by batch. */
export interface ColumnWriter {
  /** Fields of the columns, in order. */
  readonly fields: readonly Field[];
  /** The representation that restores the tensor from these columns. */
  readonly representation: TensorRepresentation;
  /**
   * Returns the data of the columns for one batch, in the order of `fields`.
   * @param column host column of the writer's spec, checked by `assertHostColumn`.
   * @param used memory that buffers of the batch already use. The writer adds the buffers of its columns to it.
   * @throws {ConversionError} an error that does not name the tensor. The converter adds the name.
   */
  write(column: HostColumn, used: UsedMemory): readonly Data[];
}

/** Options of writers, in addition to the tensor's spec. */
export interface WriterOptions {
  readonly listType: ExampleListType;
  /** Name of the value column of a sparse tensor with index columns. */
  readonly valueColumn: string;
  /** Returns the name of a sparse tensor's index column for one dimension. Dimension 0 follows the batch dimension. */
  readonly indexColumn: (dimension: number) => string;
  /** True if a two-dimensional sparse tensor gets index columns, as sparse tensors of more dimensions do. */
  readonly isGenericSparse: boolean;
}
