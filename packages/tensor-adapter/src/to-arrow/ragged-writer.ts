import { messageFromJson, TensorRepresentationSchema } from "@tfxio/schema";
import type { HostRagged } from "../host/host-column.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { TypeSpec } from "../type-spec.js";
import { listData, listField } from "./arrow-columns.js";
import type { ColumnWriter, WriterOptions } from "./column-writer.js";

/**
 * Creates the writer for ragged tensors whose ragged dimensions all have unknown sizes (null), and whose inner dimensions have
 * known sizes other than 0. It writes one column of lists that are nested to the depth of the ragged rank. Inner dimensions are
 * flattened into the innermost lists, and the representation restores them with uniform partitions. Returns undefined for any
 * other spec.
 */
export function raggedWriter(
  name: string,
  spec: TypeSpec,
  { listType }: WriterOptions,
): ColumnWriter | undefined {
  if (spec.kind !== "ragged" || spec.raggedRank < 1) return undefined;
  const { dtype, raggedRank, shape, rowSplitsDtype } = spec;
  const innerShape = shape.slice(1 + raggedRank);
  if (shape.length < 1 + raggedRank || shape.slice(1, 1 + raggedRank).some((size) => size !== null))
    return undefined;
  if (innerShape.some((size) => size === null || size < 1)) return undefined;
  const innerSize = sizeOf(innerShape as number[]);
  return {
    fields: [listField(name, dtype, raggedRank, listType)],
    representation: messageFromJson(TensorRepresentationSchema, {
      raggedTensor: {
        featurePath: { step: [name] },
        partition: innerShape.map((size) => ({ uniformRowLength: size })),
        rowPartitionDtype: rowSplitsDtype === "int32" ? "INT32" : "INT64",
      },
    }),
    write: (column, used) => {
      const { values, nestedRowSplits } = column as HostRagged;
      const innermost = nestedRowSplits.at(-1) as Int32Array;
      const flat = innerSize === 1 ? innermost : innermost.map((split) => split * innerSize);
      return [listData(dtype, values, [...nestedRowSplits.slice(0, -1), flat], listType, used)];
    },
  };
}
