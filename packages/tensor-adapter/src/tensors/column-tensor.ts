import type { HostColumn } from "../host/host-column.js";
import { named } from "../named-errors.js";
import { narrowingPolicies } from "../host/narrowing.js";
import { packedLayoutOf } from "./packed-layout.js";
import { isPacked, type PackedColumn, unpacked } from "../handlers/packed-column.js";
import { type AnyTensor, toTensor, type ToTensorOptions } from "./to-tensor.js";

/**
 * Returns the tensor of a host column or of a {@link PackedColumn}. The tensor of a packed column is built on the device if `tf`
 * has a `PackedLayout` that builds it, otherwise on the host. With the policy `"host"`, returns a host column instead.
 * @throws The errors of {@link toTensor}.
 */
export function columnTensor(
  column: HostColumn | PackedColumn,
  options: ToTensorOptions,
  minDeviceBytes: number | undefined,
): AnyTensor | HostColumn {
  if (!isPacked(column)) return toTensor(column, options);
  const policies = narrowingPolicies(column, options);
  const laidOut =
    policies && packedLayoutOf(options.tf)?.(column, policies, { tf: options.tf, minDeviceBytes });
  if (laidOut !== undefined) return laidOut;
  const { tensorName = "" } = options;
  return toTensor(
    named(tensorName, "Cannot make tensor", () => unpacked(column)),
    options,
  );
}
