import { ArgumentError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";

/** A tensor, or the members of a RaggedTensor or SparseTensor that are checked. */
type Parts =
  | Tensor
  | { readonly values: Tensor; readonly nestedRowSplits: readonly Tensor[] }
  | { readonly values: Tensor; readonly indices: Tensor };

/**
 * Rejects tensors if `dispose` or `tf.tidy` has freed one of them, or a part of one.
 * @throws {ArgumentError} `invalid-argument` (`disposed`).
 */
export function assertAlive(tensors: readonly Parts[], argument?: string): void {
  if (!tensors.some((tensor) => partsOf(tensor).some(({ isDisposed }) => isDisposed))) return;
  throw new ArgumentError("invalid-argument", "A tensor, or a part of it, has been disposed.", {
    reason: "disposed",
    argument,
  });
}

function partsOf(tensor: Parts): readonly Tensor[] {
  if ("nestedRowSplits" in tensor) return [tensor.values, ...tensor.nestedRowSplits];
  return "indices" in tensor ? [tensor.values, tensor.indices] : [tensor];
}
