import type { Tensor } from "@tensorflow/tfjs-core";

/** A batch of sparse tensors in COO form over TensorFlow.js tensors, which this object owns: {@link dispose} it. */
export class SparseTensor {
  /**
   * @param indices int32 `[nnz, rank]`, the row of the batch first.
   * @param values `[nnz]`.
   * @param denseShape `[rank]`; -1 where the representation leaves a dimension open.
   */
  constructor(
    readonly indices: Tensor,
    readonly values: Tensor,
    readonly denseShape: readonly number[],
  ) {}

  get dtype(): Tensor["dtype"] {
    return this.values.dtype;
  }

  /** Frees both tensors. Safe to call twice. */
  dispose(): void {
    this.indices.dispose();
    this.values.dispose();
  }
}
