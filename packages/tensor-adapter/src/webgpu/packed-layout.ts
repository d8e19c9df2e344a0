import type { BytesColumn } from "@tfxio/arrow-encoding";
import type { Tensor } from "../tensors/tensorflow.js";
import type { HostValues } from "../host/host-column.js";
import {
  type NarrowingPolicies,
  narrowedDType,
  narrowedIfExact,
  type TensorArray,
} from "../host/narrowing.js";
import { ownBytes, stringsOf } from "../host/own-strings.js";
import type { PackedColumn, PackedDense, PackedSparse } from "../handlers/packed-column.js";
import { longestList } from "../tensors/ragged-layout.js";
import { rowPositions } from "../rows/row-positions.js";
import { sizeOf } from "../rows/row-of-value.js";
import { SparseTensor } from "../tensors/sparse-tensor.js";
import { deviceTensor, type OnDeviceOptions } from "./device-tensor.js";
import { padKernel } from "./pad.js";
import { deviceIndices } from "./ragged-indices.js";

/**
 * Returns the tensor of a {@link PackedColumn}, bit-identical to the one that the host would build. A kernel builds the padded
 * values, or the indices of a sparse tensor, on the device. Returns undefined on backends other than WebGPU, for results smaller
 * than `minDeviceBytes`, for empty tensors, for buffers that the device cannot bind, for dense strings, and if a value does not
 * fit the tensor's dtype. The host then builds the tensor. If truncation drops the value that does not fit, the host ignores it.
 * Otherwise, the host throws an error that names the row of the value.
 */
export function packedLayout(
  column: PackedColumn,
  policies: NarrowingPolicies,
  options: OnDeviceOptions,
): Tensor | SparseTensor | undefined {
  return column.kind === "packed-dense"
    ? denseLayout(column, policies, options)
    : sparseLayout(column, policies, options);
}

function denseLayout(
  { dtype, shape, values, rowSplits, fill }: PackedDense,
  policies: NarrowingPolicies,
  options: OnDeviceOptions,
): Tensor | undefined {
  if (dtype === "string") return undefined;
  return deviceTensor(options, shape, narrowedDType(dtype, policies), () => {
    const packed = narrowedIfExact(dtype, values, policies);
    const ArrayType = values.constructor as new (of: readonly unknown[]) => HostValues;
    const filler =
      fill === undefined ? new Int32Array(1) : narrowedIfExact(dtype, new ArrayType([fill]), policies);
    if (packed === undefined || filler === undefined) return undefined;
    const sizes = [sizeOf(shape.slice(1))];
    return padKernel({ values: packed, nestedRowSplits: [rowSplits], innerSize: 1, sizes, fill: filler });
  });
}

function sparseLayout(
  { dtype, values, rowSplits }: PackedSparse,
  policies: NarrowingPolicies,
  options: OnDeviceOptions,
): SparseTensor | undefined {
  const indices = deviceIndices(options, [rowSplits], [values.length]);
  if (indices === undefined) return undefined;
  let flat: Tensor | undefined;
  try {
    const elements: TensorArray | Uint8Array[] | undefined =
      dtype === "string"
        ? stringsOf(ownBytes(values as BytesColumn))
        : narrowedIfExact(dtype, values, policies);
    const target = dtype === "string" ? dtype : narrowedDType(dtype, policies);
    flat = elements && options.tf.tensor(elements, [values.length], target);
  } finally {
    if (flat === undefined) indices.dispose();
  }
  const denseShape = [rowSplits.length - 1, longestList(rowSplits)];
  // Copied, because the tensor may outlive the batch's memory.
  const ownSplits = rowSplits.slice();
  return flat && new SparseTensor(indices, flat, denseShape, () => rowPositions(ownSplits).indices);
}
