import { messageFromJson, TensorRepresentationSchema } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import type { HostSparse } from "../host/host-column.js";
import type { TypeSpec } from "../type-spec.js";
import { listData, listField } from "./arrow-columns.js";
import type { ColumnWriter, WriterOptions } from "./column-writer.js";
import { sparseRowSplits } from "./sparse-row-splits.js";

/**
 * Creates the writer that uses no index columns, for sparse tensors of two dimensions or unknown rank. It writes one list
 * column, in which the position of a value is its index. The size of the second dimension is lost: it is read back as the length
 * of the longest row. Unlike tfx_bsl, which silently closes gaps in rows, this writer rejects them. Returns undefined for any
 * other spec.
 */
export function varLenSparseWriter(
  name: string,
  spec: TypeSpec,
  { listType, isGenericSparse }: WriterOptions,
): ColumnWriter | undefined {
  if (spec.kind !== "sparse" || isGenericSparse || (spec.shape?.length ?? 2) !== 2) return undefined;
  return {
    fields: [listField(name, spec.dtype, 1, listType)],
    representation: messageFromJson(TensorRepresentationSchema, { varlenSparseTensor: { columnName: name } }),
    write: (column, used) => {
      const { dtype, values, indices, denseShape } = column as HostSparse;
      if (denseShape.length !== 2) {
        throw new ConversionError(
          "shape-mismatch",
          `A sparse tensor whose spec leaves the rank unknown must have 2 dimensions to be written as lists, found ${denseShape.length}.`,
          { reason: "type-spec" },
        );
      }
      const rowSplits = sparseRowSplits(column as HostSparse);
      assertNoGaps(indices, rowSplits);
      return [listData(dtype, values, [rowSplits], listType, used)];
    },
  };
}

function assertNoGaps(indices: Int32Array, rowSplits: Int32Array): void {
  for (let at = 0; at < indices.length / 2; at++) {
    const row = indices[at * 2] as number;
    const position = at - (rowSplits[row] as number);
    if (indices[at * 2 + 1] === position) continue;
    throw new ConversionError(
      "not-convertible",
      `Row ${row} has a value at index ${indices[at * 2 + 1]}, but in a list its position would be ${position}. To keep the indices, name the tensor in genericSparseTensorNames.`,
      { reason: "sparse-gap", row },
    );
  }
}
