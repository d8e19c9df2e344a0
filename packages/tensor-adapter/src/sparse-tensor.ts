import { ArgumentError, ConversionError } from "@tfxio/wire";
import type { Tensor } from "@tensorflow/tfjs-core";
import { assertList, assertTensor, invalidArgument } from "./check-argument.js";
import { resolvedFill, resolvedShape, type ToDenseOptions } from "./dense-options.js";
import { concatElements, takeElements } from "./elements.js";
import { sizeOf } from "./row-of-value.js";
import {
  assertOpsOptions,
  assertRowRange,
  assertSome,
  NO_POSITION,
  sameElements,
  sameNumbers,
  type TensorOps,
  type TensorOpsOptions,
} from "./tensor-ops.js";

/**
 * A batch of sparse tensors in COO form over TensorFlow.js tensors, which this object owns: {@link dispose} it.
 * Operations make new tensors and leave this one as it is; an error leaves none behind. `tf.tidy` frees it unless it is
 * returned.
 */
export class SparseTensor {
  // Private, so that tf.tidy, which walks fields for tensors, does not walk millions of numbers.
  #hostIndices: Int32Array | (() => Int32Array);

  /**
   * @param indices int32 `[nnz, rank]`, the row of the batch first.
   * @param values `[nnz]`.
   * @param denseShape `[rank]`; -1 where the representation leaves a dimension open.
   * @param hostIndices the same numbers as `indices`, where the caller has them or can make them: spares reading them
   * back. Borrowed.
   */
  constructor(
    readonly indices: Tensor,
    readonly values: Tensor,
    readonly denseShape: readonly number[],
    hostIndices: Int32Array | (() => Int32Array) = () => indices.dataSync<"int32">(),
  ) {
    assertTensor("indices", indices);
    assertTensor("values", values);
    assertList("denseShape", denseShape);
    const rank = denseShape.length;
    if (rank === 0 || indices.rank !== 2 || indices.shape[0] !== values.size || indices.shape[1] !== rank) {
      throw invalidArgument(
        "indices",
        `[${values.size}, ${rank}]: a row for each value`,
        `[${indices.shape}]`,
      );
    }
    this.#hostIndices = hostIndices;
  }

  get dtype(): Tensor["dtype"] {
    return this.values.dtype;
  }

  /**
   * Indices on the host, row-major `[nnz, rank]`; do not write to them. Read from the device, and waited for, only when
   * the tensor was made of others' tensors: those of an adapter, and of operations, know theirs.
   */
  get hostIndices(): Int32Array {
    if (typeof this.#hostIndices === "function") this.#hostIndices = this.#hostIndices();
    return this.#hostIndices;
  }

  /** Number of values of each row. Host memory. */
  rowLengths(): Int32Array {
    const rank = this.denseShape.length;
    const lengths = new Int32Array(this.denseShape[0] as number);
    const { hostIndices } = this;
    for (let at = 0; at < hostIndices.length; at += rank) {
      const row = hostIndices[at] as number;
      if (row < 0 || row >= lengths.length) throw outside(at / rank, row, 0, lengths.length);
      lengths[row] = (lengths[row] as number) + 1;
    }
    return lengths;
  }

  /**
   * A dense tensor: of the dense shape, in which open dimensions are as large as the largest index needs, or of `shape`.
   * Of several values at one place the last counts.
   * @throws {ConversionError} `out-of-range` (`sparse-index`) for an index outside of a dimension that is not open.
   * @throws {ArgumentError} `invalid-argument` (`dense-shape`, `default-value`).
   * @see tf.sparse.to_dense
   */
  toDense(options: ToDenseOptions): Tensor {
    assertOpsOptions(options, "toDense", ["defaultValue", "shape"]);
    const { tf, defaultValue, shape } = options;
    const fill = resolvedFill(defaultValue, this.dtype);
    const resolved = resolvedShape(shape, this.#boundingShape(), 0);
    const rank = resolved.length;
    const positions = new Int32Array(sizeOf(resolved)).fill(NO_POSITION);
    const { hostIndices } = this;
    for (let value = 0; value < hostIndices.length / rank; value++) {
      let place = 0;
      let isCutOff = false;
      for (let dimension = 0; dimension < rank; dimension++) {
        const size = resolved[dimension] as number;
        const index = hostIndices[value * rank + dimension] as number;
        place = place * size + index;
        isCutOff ||= index >= size;
      }
      if (!isCutOff) positions[place] = value;
    }
    return tf.tidy(() => tf.reshape(takeElements(tf, this.values, positions, fill), resolved));
  }

  /** Rows `start` to `end` (exclusive), in stored order. @throws {ArgumentError} `invalid-argument` (`row-range`). */
  slice(start: number, end: number, options: TensorOpsOptions): SparseTensor {
    assertOpsOptions(options, "slice");
    const { tf } = options;
    const [numRows = 0, ...sizes] = this.denseShape;
    assertRowRange(start, end, numRows);
    const rank = this.denseShape.length;
    const { hostIndices } = this;
    const kept: number[] = [];
    for (let value = 0; value < hostIndices.length / rank; value++) {
      const row = hostIndices[value * rank] as number;
      if (row >= start && row < end) kept.push(value);
    }
    const indices = new Int32Array(kept.length * rank);
    kept.forEach((value, at) => {
      indices.set(hostIndices.subarray(value * rank, (value + 1) * rank), at * rank);
      indices[at * rank] = (indices[at * rank] as number) - start;
    });
    const makeValues = (): Tensor => takeElements(tf, this.values, Int32Array.from(kept));
    return made(tf, indices, [end - start, ...sizes], makeValues);
  }

  /**
   * The rows of all, one tensor after the other; all of one dtype and rank. Each further dimension becomes as large as
   * the largest of its own, open if one of them is.
   * @throws {ArgumentError} `invalid-argument` (`no-tensors`, `unlike-tensors`).
   */
  static concat(tensors: readonly SparseTensor[], options: TensorOpsOptions): SparseTensor {
    assertOpsOptions(options, "concat");
    assertSome(tensors, SparseTensor);
    const { tf } = options;
    const [first] = tensors as [SparseTensor];
    const rank = first.denseShape.length;
    const other = tensors.find(({ denseShape }) => denseShape.length !== rank);
    if (other !== undefined) {
      throw new ArgumentError(
        "invalid-argument",
        `Cannot join sparse tensors of ${rank} and ${other.denseShape.length} dimensions.`,
        { reason: "unlike-tensors", argument: "tensors" },
      );
    }
    const indices = new Int32Array(tensors.reduce((total, { hostIndices }) => total + hostIndices.length, 0));
    let at = 0;
    let numRows = 0;
    for (const { hostIndices, denseShape } of tensors) {
      indices.set(hostIndices, at);
      for (const end = at + hostIndices.length; at < end; at += rank)
        indices[at] = (indices[at] as number) + numRows;
      numRows += denseShape[0] as number;
    }
    const sizes = first.denseShape.slice(1).map((_, dimension) => {
      const all = tensors.map(({ denseShape }) => denseShape[1 + dimension] as number);
      return all.includes(-1) ? -1 : Math.max(...all);
    });
    return made(tf, indices, [numRows, ...sizes], () =>
      concatElements(
        tf,
        tensors.map(({ values }) => values),
      ),
    );
  }

  /** True for the same dtype, dense shape, indices in the same order, and values; NaN equals NaN. */
  async equals(other: SparseTensor): Promise<boolean> {
    if (!(other instanceof SparseTensor)) return false;
    if (!sameNumbers(this.denseShape, other.denseShape)) return false;
    if (!sameNumbers(this.hostIndices, other.hostIndices)) return false;
    return sameElements(this.values, other.values);
  }

  /** Frees both tensors. Safe to call twice. */
  dispose(): void {
    this.indices.dispose();
    this.values.dispose();
  }

  /** The dense shape, with open dimensions as large as the indices need; all indices are inside it. */
  #boundingShape(): number[] {
    const { hostIndices, denseShape } = this;
    const rank = denseShape.length;
    return denseShape.map((size, dimension) => {
      let largest = -1;
      for (let at = dimension; at < hostIndices.length; at += rank) {
        const index = hostIndices[at] as number;
        if (index < 0 || (size >= 0 && index >= size))
          throw outside((at - dimension) / rank, index, dimension, size);
        if (index > largest) largest = index;
      }
      return size < 0 ? largest + 1 : size;
    });
  }
}

function made(
  tf: TensorOps,
  indices: Int32Array,
  denseShape: readonly number[],
  makeValues: () => Tensor,
): SparseTensor {
  const rank = denseShape.length;
  const [indexTensor, values] = tf.tidy((): [Tensor, Tensor] => [
    tf.tensor(indices, [indices.length / rank, rank], "int32"),
    makeValues(),
  ]);
  return new SparseTensor(indexTensor, values, denseShape, indices);
}

function outside(value: number, index: number, dimension: number, size: number): ConversionError {
  return new ConversionError(
    "out-of-range",
    `Value ${value} has index ${index} in dimension ${dimension}, whose size is ${size < 0 ? "open" : size}.`,
    { reason: "sparse-index" },
  );
}
