import { ArgumentError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";

/** What is looked at of a tensor, a RaggedTensor or a SparseTensor. */
type Parts =
  | Tensor
  | { readonly values: Tensor; readonly nestedRowSplits: readonly Tensor[] }
  | { readonly values: Tensor; readonly indices: Tensor };

/**
 * Refuses tensors of which a part was freed, by `dispose` or as `tf.tidy` does.
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
