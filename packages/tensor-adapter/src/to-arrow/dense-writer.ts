import { messageFromJson, TensorRepresentationSchema } from "@tfxio/schema";
import type { HostDense } from "../host/host-column.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { TypeSpec } from "../type-spec.js";
import { listData, listField } from "./arrow-columns.js";
import type { ColumnWriter, WriterOptions } from "./column-writer.js";

/**
 * Creates the writer for dense tensors in which only the batch dimension is unknown. It writes one list column, with the values
 * of one row in each list. Returns undefined for any other spec.
 */
export function denseWriter(
  name: string,
  spec: TypeSpec,
  { listType }: WriterOptions,
): ColumnWriter | undefined {
  if (spec.kind !== "tensor") return undefined;
  const [batch, ...rowShape] = spec.shape;
  if (batch !== null || !rowShape.every((size) => size !== null)) return undefined;
  const rowSize = sizeOf(rowShape);
  const rowDims = rowShape.length === 0 ? {} : { shape: { dim: rowShape.map((size) => ({ size })) } };
  return {
    fields: [listField(name, spec.dtype, 1, listType)],
    representation: messageFromJson(TensorRepresentationSchema, {
      // As in tfx_bsl, the representation of scalar rows has no shape field.
      denseTensor: { columnName: name, ...rowDims },
    }),
    write: (column, used) => {
      const { dtype, values, shape } = column as HostDense;
      const rowSplits = new Int32Array((shape[0] as number) + 1).map((_, row) => row * rowSize);
      return [listData(dtype, values, [rowSplits], listType, used)];
    },
  };
}
