import type { TensorFactory } from "./tensor-factory.js";
import type { FillValue, TensorOps } from "./tensor-ops.js";
import type { Tensor } from "./tensorflow.js";

/**
 * Kernels that build and move tensors on the device of a backend. `withDeviceLayouts` adds them to a copy of `tf`. Only the
 * entry @tfxio/tensor-adapter/webgpu exports `withDeviceLayouts`, so that applications without WebGPU do not load the kernels.
 * All functions except `hasDevice` require a `tf` for which `hasDevice` is true.
 */
export interface DeviceLayouts {
  /** True if the current backend of `tf` has a device on which the kernels run. */
  hasDevice(tf: TensorFactory): boolean;

  /** Returns the dense form of a ragged tensor, built on the device, or undefined if the caller should build it. */
  dense(
    tf: TensorOps,
    values: Tensor,
    rowSplits: readonly Int32Array[],
    shape: readonly number[],
    fill: FillValue,
  ): Tensor | undefined;

  /** Returns the COO indices of a ragged tensor's values, or undefined if the host should compute them. */
  indices(tf: TensorFactory, rowSplits: readonly Int32Array[], shape: readonly number[]): Tensor | undefined;

  /** Returns bitwise copies of the elements at `positions`. A negative position yields an element filled with `fill[0]`. */
  taken(tf: TensorOps, values: Tensor, positions: Int32Array, fill: Int32Array | Float32Array): Tensor;

  /** Returns a bitwise copy of elements `start` to `end` (exclusive). The range must not be empty. */
  sliced(tf: TensorOps, values: Tensor, start: number, end: number): Tensor;

  /** Returns a bitwise concatenation of all tensors. None may be empty. */
  joined(tf: TensorOps, parts: readonly Tensor[], shape: readonly number[]): Tensor;
}

/** The property of a `tf` that holds its {@link DeviceLayouts}. */
export const DEVICE_LAYOUTS: unique symbol = Symbol("device layouts");

/** Returns the kernels for the current backend; undefined if the application provided none, or none for this backend. */
export function deviceLayoutsOf(tf: TensorFactory): DeviceLayouts | undefined {
  const layouts = (tf as { readonly [DEVICE_LAYOUTS]?: DeviceLayouts })[DEVICE_LAYOUTS];
  return layouts?.hasDevice(tf) === true ? layouts : undefined;
}
