import type { PackedColumn } from "../handlers/packed-column.js";
import type { NarrowingPolicies } from "../host/narrowing.js";
import { deviceLayoutsOf } from "./device-layouts.js";
import type { SparseTensor } from "./sparse-tensor.js";
import type { TensorFactory } from "./tensor-factory.js";
import type { Tensor } from "./tensorflow.js";

/** The tensor of a packed column; undefined where the host does better or has to name a value that does not fit. */
export type PackedLayout = (
  column: PackedColumn,
  policies: NarrowingPolicies,
  options: { readonly tf: TensorFactory; readonly minDeviceBytes?: number | undefined },
) => Tensor | SparseTensor | undefined;

/** The property of a `tf` that holds its {@link PackedLayout}, beside its `DeviceLayouts`. */
export const PACKED_LAYOUT: unique symbol = Symbol("packed layout");

/** Lays packed columns out on the device of the current backend; undefined where the host has to. */
export function packedLayoutOf(tf: TensorFactory): PackedLayout | undefined {
  if (deviceLayoutsOf(tf) === undefined) return undefined;
  return (tf as { readonly [PACKED_LAYOUT]?: PackedLayout })[PACKED_LAYOUT];
}
