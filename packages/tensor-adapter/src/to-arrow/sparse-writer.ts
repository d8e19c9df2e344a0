import { messageFromJson, TensorRepresentationSchema } from "@tfxio/schema";
import type { Data } from "apache-arrow";
import type { HostSparse } from "../host/host-column.js";
import type { TypeSpec } from "../type-spec.js";
import { listData, listField } from "./arrow-columns.js";
import type { ColumnWriter, WriterOptions } from "./column-writer.js";
import { sparseRowSplits } from "./sparse-row-splits.js";

/**
 * Creates the writer for sparse tensors of two or more dimensions. It writes a list column of values, and one list column of
 * int64 indices for each dimension after the batch dimension. Sizes that the spec leaves unknown are lost: they are read back
 * as -1. Returns undefined for any other spec.
 */
export function sparseWriter(
  spec: TypeSpec,
  { listType, valueColumn, indexColumn }: WriterOptions,
): ColumnWriter | undefined {
  if (spec.kind !== "sparse" || spec.shape === null || spec.shape.length < 2) return undefined;
  const sizes = spec.shape.slice(1);
  const indexColumnNames = sizes.map((_, dimension) => indexColumn(dimension));
  return {
    fields: [
      listField(valueColumn, spec.dtype, 1, listType),
      ...indexColumnNames.map((name) => listField(name, "int64", 1, listType)),
    ],
    representation: messageFromJson(TensorRepresentationSchema, {
      sparseTensor: {
        denseShape: { dim: sizes.map((size) => ({ size: size ?? -1 })) },
        indexColumnNames,
        valueColumnName: valueColumn,
      },
    }),
    write: (column, used) => {
      const { dtype, values, indices, denseShape } = column as HostSparse;
      const rowSplits = sparseRowSplits(column as HostSparse);
      const indexData = sizes.map((_, dimension): Data => {
        const along = indicesAlong(indices, denseShape.length, 1 + dimension);
        return listData("int64", along, [rowSplits], listType, used);
      });
      return [listData(dtype, values, [rowSplits], listType, used), ...indexData];
    },
  };
}

/**
 * Returns the indices of one dimension as int64. Writes 32-bit halves, because bigint arithmetic is several times slower.
 */
function indicesAlong(indices: Int32Array, rank: number, dimension: number): BigInt64Array {
  const along = new BigInt64Array(indices.length / rank);
  const halves = new Int32Array(along.buffer);
  for (let at = 0; at < along.length; at++) {
    const index = indices[at * rank + dimension] as number;
    halves[at * 2] = index;
    halves[at * 2 + 1] = index >> 31;
  }
  return along;
}
