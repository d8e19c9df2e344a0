import type { Tensor } from "@tensorflow/tfjs-core";

/** A batch of ragged tensors over TensorFlow.js tensors, which this object owns: {@link dispose} it. */
export class RaggedTensor {
  /**
   * @param values innermost values, `[numValues, …fixed inner dimensions]`.
   * @param nestedRowSplits int32, each `[n + 1]`, outermost first, at least one.
   */
  constructor(
    readonly values: Tensor,
    readonly nestedRowSplits: readonly Tensor[],
  ) {}

  get dtype(): Tensor["dtype"] {
    return this.values.dtype;
  }

  /** Number of ragged dimensions. */
  get raggedRank(): number {
    return this.nestedRowSplits.length;
  }

  /** Frees all tensors. Safe to call twice. */
  dispose(): void {
    this.values.dispose();
    for (const splits of this.nestedRowSplits) splits.dispose();
  }
}
