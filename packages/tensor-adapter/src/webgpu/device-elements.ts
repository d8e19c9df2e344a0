import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "../tensors/tensorflow.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { TensorOps } from "../tensors/tensor-ops.js";
import { copyWords, deviceOf, type GpuBuffer, type GpuDevice, runKernel } from "./gpu-device.js";
import { takeCode } from "./wgsl.js";

// On WebGPU, gather, slice and concat of TensorFlow.js convert int32 to float32, which rounds above 2^24. The functions here
// move 32-bit words without interpreting them.

/** Members of TensorFlow.js's WebGPU backend that the common backend type lacks. */
interface WebGpuBackend {
  uploadToGPU(dataId: object): void;
  readToGPU(dataId: object): { readonly tensorRef: Tensor; readonly buffer: GpuBuffer };
  createTensorFromGPUData(data: { readonly buffer: unknown }, shape: number[], dtype: string): Tensor;
}

/**
 * Returns the elements at `positions`, of shape `[positions.length, …inner]`. A negative position yields an element filled with
 * `fill[0]`.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for a result that is too large for the device. The other functions
 *   in this file throw it too.
 */
export function takenOnDevice(
  tf: TensorOps,
  values: Tensor,
  positions: Int32Array,
  fill: Int32Array | Float32Array,
): Tensor {
  const [, ...inner] = values.shape;
  const innerSize = sizeOf(inner);
  const shape = [positions.length, ...inner];
  const numInvocations = sizeOf(shape);
  const [bits = 0] = new Uint32Array(fill.buffer, fill.byteOffset, 1);
  return withBuffers(tf, [values], shape, (device, [buffer], use) => {
    const params = [numInvocations, innerSize, bits];
    const kernel = { code: takeCode, params, positions, values: buffer as GpuBuffer, numInvocations };
    return runKernel(device, kernel, numInvocations, use);
  });
}

/** Returns elements `start` to `end` (exclusive) along the first dimension. The range must not be empty. */
export function slicedOnDevice(tf: TensorOps, values: Tensor, start: number, end: number): Tensor {
  const [, ...inner] = values.shape;
  const innerSize = sizeOf(inner);
  return withBuffers(tf, [values], [end - start, ...inner], (device, [buffer], use) =>
    copyWords(device, [{ buffer: buffer as GpuBuffer, start: start * innerSize, end: end * innerSize }], use),
  );
}

/** Concatenates the elements of `parts` into a tensor of the given shape. No part may be empty. */
export function joinedOnDevice(tf: TensorOps, parts: readonly Tensor[], shape: readonly number[]): Tensor {
  return withBuffers(tf, parts, shape, (device, buffers, use) =>
    copyWords(
      device,
      buffers.map((buffer, part) => ({ buffer, start: 0, end: (parts[part] as Tensor).size })),
      use,
    ),
  );
}

/**
 * Calls `run` with device buffers that hold copies of `tensors`, and returns the tensor that `run` makes. Releases the copies
 * afterwards.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if `run` returns undefined.
 */
function withBuffers(
  tf: TensorOps,
  tensors: readonly Tensor[],
  shape: readonly number[],
  run: (
    device: GpuDevice,
    buffers: readonly GpuBuffer[],
    use: (buffer: unknown) => Tensor,
  ) => Tensor | undefined,
): Tensor {
  const { dtype } = tensors[0] as Tensor;
  const backend = tf.backend() as unknown as WebGpuBackend;
  const copies: ReturnType<WebGpuBackend["readToGPU"]>[] = [];
  try {
    for (const { dataId } of tensors) {
      // Data already on the device stays there.
      backend.uploadToGPU(dataId);
      copies.push(backend.readToGPU(dataId));
    }
    const buffers = copies.map(({ buffer }) => buffer);
    const made = run(deviceOf(tf) as GpuDevice, buffers, (buffer) =>
      backend.createTensorFromGPUData({ buffer }, [...shape], dtype),
    );
    if (made !== undefined) return made;
  } finally {
    for (const { tensorRef } of copies) tensorRef.dispose();
  }
  throw new ConversionError(
    "out-of-range",
    `A tensor of shape [${shape.join(", ")}] needs a buffer larger than the device supports.`,
    {
      reason: "batch-too-large",
    },
  );
}
