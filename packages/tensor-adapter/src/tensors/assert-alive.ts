import { ArgumentError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";

/** The part of a tensor, RaggedTensor or SparseTensor that is checked. */
type Parts =
  | Tensor
  | { readonly values: Tensor; readonly nestedRowSplits: readonly Tensor[] }
  | { readonly values: Tensor; readonly indices: Tensor };

/**
 * Rejects tensors that `dispose` or `tf.tidy` has freed, even in part.
 * @throws {ArgumentError} `invalid-argument` (`disposed`).
 */
export function assertAlive(tensors: readonly Parts[], argument?: string): void {
  if (!tensors.some((tensor) => partsOf(tensor).some(({ isDisposed }) => isDisposed))) return;
  throw new ArgumentError("invalid-argument", "The tensor, or a part of it, has been disposed.", {
    reason: "disposed",
    argument,
  });
}

function partsOf(tensor: Parts): readonly Tensor[] {
  if ("nestedRowSplits" in tensor) return [tensor.values, ...tensor.nestedRowSplits];
  return "indices" in tensor ? [tensor.values, tensor.indices] : [tensor];
}
