import type { Tensor } from "../tensors/tensorflow.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { FillValue, TensorOps } from "../tensors/tensor-ops.js";
import { deviceTensor, fillOf } from "./device-tensor.js";
import { deviceOf, type GpuBuffer } from "./gpu-device.js";
import { padKernel } from "./pad.js";

/**
 * Returns the dense form of a ragged tensor, built by a kernel on the device. If the values are already there, uploads only row
 * splits, whereas `gather` would need an uploaded position for each element of the result. Returns undefined on backends other
 * than WebGPU, for dtypes other than int32 and float32, if the values or the result are empty, for buffers that the device
 * cannot bind, and while a gradient is taken.
 */
export function denseOfRagged(
  tf: TensorOps,
  values: Tensor,
  rowSplits: readonly Int32Array[],
  shape: readonly number[],
  fill: FillValue,
): Tensor | undefined {
  const { dtype } = values;
  if (deviceOf(tf) === undefined || tf.engine().state.gradientDepth > 0) return undefined;
  if ((dtype !== "int32" && dtype !== "float32") || values.size === 0 || sizeOf(shape) === 0)
    return undefined;
  const numRows = (rowSplits[0]?.length ?? 1) - 1;
  const inner = values.shape.slice(1);
  // Only the type of the WebGPU backend has `uploadToGPU`. Data already on the device stays there.
  (tf.backend() as unknown as { uploadToGPU(dataId: object): void }).uploadToGPU(values.dataId);
  const copy = values.dataToGPU();
  try {
    return deviceTensor({ tf, minDeviceBytes: 0 }, shape, dtype, () =>
      padKernel({
        values: copy.buffer as GpuBuffer,
        // Adds one list around all rows, because `shape` may have more or fewer rows than the tensor.
        nestedRowSplits: [Int32Array.of(0, numRows), ...rowSplits],
        innerSize: sizeOf(inner),
        sizes: shape.slice(0, shape.length - inner.length),
        fill: fillOf(fill as number, dtype),
      }),
    );
  } finally {
    copy.tensorRef.dispose();
  }
}
