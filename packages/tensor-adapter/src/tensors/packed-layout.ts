import type { PackedColumn } from "../handlers/packed-column.js";
import type { NarrowingPolicies } from "../host/narrowing.js";
import { deviceLayoutsOf } from "./device-layouts.js";
import type { SparseTensor } from "./sparse-tensor.js";
import type { TensorFactory } from "./tensor-factory.js";
import type { Tensor } from "./tensorflow.js";

/**
 * Builds the tensor of a {@link PackedColumn} on the device. Returns undefined if the host should build it, for example because
 * a value does not fit the tensor's dtype.
 */
export type PackedLayout = (
  column: PackedColumn,
  policies: NarrowingPolicies,
  options: { readonly tf: TensorFactory; readonly minDeviceBytes?: number | undefined },
) => Tensor | SparseTensor | undefined;

/** The property of a `tf` that holds its {@link PackedLayout}, next to its `DeviceLayouts`. */
export const PACKED_LAYOUT: unique symbol = Symbol("packed layout");

/** Returns the function that builds tensors of packed columns on the current backend's device, or undefined if there is none. */
export function packedLayoutOf(tf: TensorFactory): PackedLayout | undefined {
  if (deviceLayoutsOf(tf) === undefined) return undefined;
  return (tf as { readonly [PACKED_LAYOUT]?: PackedLayout })[PACKED_LAYOUT];
}
