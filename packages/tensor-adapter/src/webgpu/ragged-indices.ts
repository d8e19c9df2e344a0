import type { Tensor } from "../tensors/tensorflow.js";
import { assertRagged } from "../host/check-host-column.js";
import type { HostRagged } from "../host/host-column.js";
import { cooIndices } from "../tensors/ragged-layout.js";
import { sizeOf } from "../rows/row-of-value.js";
import { deviceTensor, type OnDeviceOptions } from "./device-tensor.js";
import type { Kernel } from "./gpu-device.js";
import { joinedSplits } from "./pad.js";
import { indicesCode } from "./wgsl.js";
import { assertOptions } from "@tfxio/wire/checks";
import { aByteThreshold, aTensorFactory } from "../argument-rules.js";

/**
 * Returns the COO indices of a ragged column's elements, in row-major order. The result is an int32 tensor of shape
 * `[column.values.length, 1 + ragged rank + inner rank]`. Together with a tensor of `column.values`, it makes a sparse tensor. On
 * WebGPU, results of at least `minDeviceBytes` are computed on the device, and only the row splits are uploaded. Accepts any
 * dtype.
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`); `out-of-range` (`batch-too-large`).
 * @throws {ArgumentError} `invalid-argument` for a column that is not ragged, and for an invalid threshold.
 */
export function raggedIndices(column: HostRagged, options: OnDeviceOptions): Tensor {
  assertOptions("raggedIndices", options, { tf: aTensorFactory, minDeviceBytes: aByteThreshold });
  assertRagged(column);
  const { nestedRowSplits, innerShape } = column;
  const shape = [nestedRowSplits.at(-1)?.at(-1) ?? 0, ...innerShape];
  const rank = nestedRowSplits.length + shape.length;
  return (
    deviceIndices(options, nestedRowSplits, shape) ??
    options.tf.tensor(cooIndices(nestedRowSplits, shape), [column.values.length, rank], "int32")
  );
}

/** Returns the {@link cooIndices} as a tensor `[elements, rank]` built on the device; undefined if the host should build it. */
export function deviceIndices(
  options: OnDeviceOptions,
  nestedRowSplits: readonly Int32Array[],
  shape: readonly number[],
): Tensor | undefined {
  const numElements = sizeOf(shape);
  const rank = nestedRowSplits.length + shape.length;
  return deviceTensor(options, [numElements, rank], "int32", () => indicesKernel(nestedRowSplits, shape));
}

function indicesKernel(nestedRowSplits: readonly Int32Array[], shape: readonly number[]): Kernel {
  const [, ...inner] = shape;
  const { positions, begins } = joinedSplits(nestedRowSplits);
  const levels = begins.flatMap((begin, level) => [begin, (nestedRowSplits[level] as Int32Array).length - 1]);
  const numElements = sizeOf(shape);
  return {
    code: indicesCode,
    params: [numElements, nestedRowSplits.length, sizeOf(inner), inner.length, ...levels, ...inner],
    positions,
    numInvocations: numElements,
  };
}
