import { ArgumentError } from "@tfxio/wire";
import type { Tensor } from "@tensorflow/tfjs-core";
import type { AnyTensor } from "./to-tensor.js";

/**
 * Refuses tensors of which a part was freed, by `dispose` or as `tf.tidy` does.
 * @throws {ArgumentError} `invalid-argument` (`disposed`).
 */
export function assertAlive(tensors: readonly AnyTensor[], argument?: string): void {
  if (!tensors.some((tensor) => partsOf(tensor).some(({ isDisposed }) => isDisposed))) return;
  throw new ArgumentError("invalid-argument", "The tensor, or a part of it, has been disposed.", {
    reason: "disposed",
    argument,
  });
}

function partsOf(tensor: AnyTensor): readonly Tensor[] {
  if ("nestedRowSplits" in tensor) return [tensor.values, ...tensor.nestedRowSplits];
  return "denseShape" in tensor ? [tensor.values, tensor.indices] : [tensor];
}
