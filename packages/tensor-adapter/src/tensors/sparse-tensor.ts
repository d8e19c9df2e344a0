import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { assertAlive } from "./assert-alive.js";
import { resolvedFill, resolvedShape, type ToDenseOptions } from "./dense-options.js";
import { concatElements, takeElements } from "./elements.js";
import { boundingShape, joinedIndices, sparsePositions, valuesOfRows } from "./sparse-layout.js";
import { assertSparseParts, checkedIndices } from "./sparse-parts.js";
import {
  aTensorOps,
  assertRowRange,
  assertSome,
  sameElements,
  sameNumbers,
  type TensorOps,
  type TensorOpsOptions,
} from "./tensor-ops.js";
import { formatShape } from "../format-shape.js";
import { aList, assertOptions } from "@tfxio/wire/checks";

const names = new WeakMap<SparseTensor, string>();

/** Records the name of a tensor for error messages, and returns the tensor. */
export function named(tensor: SparseTensor, tensorName: string | undefined): SparseTensor {
  if (tensorName !== undefined) names.set(tensor, tensorName);
  return tensor;
}

/**
 * A sparse tensor in COO form, made of TensorFlow.js tensors. This object owns the tensors. Call {@link dispose} to free them.
 * Operations return new tensors and never change this one; a failed operation leaks none. A sparse tensor that is made inside
 * `tf.tidy` is freed, unless it is returned.
 */
export class SparseTensor {
  // Private, because tf.tidy searches public fields for tensors, and would visit millions of numbers.
  #hostIndices: Int32Array | (() => Int32Array);
  #areChecked = false;

  /**
   * @param indices int32 `[nnz, rank]`; each index begins with its batch row.
   * @param values one value per index, `[nnz]`.
   * @param denseShape `[rank]`; -1 for a dimension of unknown size.
   * @param hostIndices the same indices in host memory, or a function that computes them. If this argument is passed, the
   * indices need not be read from the device. An array is not copied, so do not write to it.
   * @throws {ArgumentError} `invalid-argument` for a part with the wrong dtype or shape.
   */
  constructor(
    readonly indices: Tensor,
    readonly values: Tensor,
    readonly denseShape: readonly number[],
    hostIndices: Int32Array | (() => Int32Array) = () => indices.dataSync<"int32">(),
  ) {
    assertSparseParts(indices, values, denseShape);
    this.#hostIndices = hostIndices;
  }

  get dtype(): Tensor["dtype"] {
    return this.values.dtype;
  }

  /**
   * Always throws. TensorFlow.js layers read this property of their inputs, but accept only dense tensors. For the dimensions,
   * see {@link denseShape}.
   * @throws {UnsupportedError} `unsupported` (`sparse-layer-input`), naming the tensor if its name is known.
   */
  get shape(): never {
    const name = names.get(this);
    const [subject, feature] =
      name === undefined
        ? ["A sparse tensor", "its feature"]
        : [`Tensor "${name}" is sparse and`, `feature "${name}"`];
    throw new UnsupportedError(
      `${subject} has no shape; its dimensions are in denseShape. It cannot be the input of a layer: ` +
        `give ${feature} a shape and a default value in the schema ` +
        "(tensor_representation_group, dense_tensor with default_value), convert the tensor with toDense, or leave it out with " +
        "project.",
      { feature: "sparse inputs of layers", reason: "sparse-layer-input" },
    );
  }

  /** Returns kind, shape and dtype on one line: `SparseTensor(shape=[2, 3], dtype=int32)`. Reads no values. */
  toString(): string {
    const shape = this.denseShape.map((size) => (size < 0 ? null : size));
    return `SparseTensor(shape=${formatShape(shape)}, dtype=${this.dtype})`;
  }

  /**
   * Indices on the host, row-major `[nnz, rank]`; do not write to them. Tensors from an adapter or an operation have them
   * already, or compute them on first use. If the constructor did not receive them, the first use blocks while it reads them
   * from the device. The first use also checks them.
   * @throws {ConversionError} `out-of-range` (`sparse-index`) for an index outside the dense shape, with its row;
   * `shape-mismatch` (`malformed-tensor`) if the number of indices differs from that on the device.
   */
  get hostIndices(): Int32Array {
    const known = typeof this.#hostIndices === "function" ? this.#hostIndices() : this.#hostIndices;
    this.#hostIndices = this.#areChecked ? known : checkedIndices(known, this.indices, this.denseShape);
    this.#areChecked = true;
    return known;
  }

  /** Returns the number of values in each row, in host memory. @throws The errors of {@link hostIndices}. */
  rowLengths(): Int32Array {
    assertAlive([this]);
    const rank = this.denseShape.length;
    const lengths = new Int32Array(this.denseShape[0] as number);
    const { hostIndices } = this;
    for (let at = 0; at < hostIndices.length; at += rank) {
      const row = hostIndices[at] as number;
      lengths[row] = (lengths[row] as number) + 1;
    }
    return lengths;
  }

  /**
   * Returns a dense tensor of `shape`. By default, `shape` is the dense shape, where each unknown size becomes the largest index
   * plus 1. If several values share an index, the last one wins. Differentiable for floats on backends that support the gradient
   * of `tf.gather`. wasm does not, because it lacks UnsortedSegmentSum.
   * @throws {ConversionError} like {@link hostIndices}; `out-of-range` (`batch-too-large`).
   * @throws {ArgumentError} `invalid-argument` (`dense-shape`, `default-value`, or `disposed`, which every operation can throw).
   * @see tf.sparse.to_dense
   */
  toDense(options: ToDenseOptions): Tensor {
    assertOptions("toDense", options, { tf: aTensorOps, defaultValue: null, shape: aList });
    const { tf, defaultValue, shape } = options;
    const fill = resolvedFill(defaultValue, this.dtype);
    assertAlive([this]);
    const { hostIndices, denseShape } = this;
    const resolved = resolvedShape(shape, boundingShape(hostIndices, denseShape), 0);
    const positions = sparsePositions(hostIndices, resolved);
    return tf.tidy(() => tf.reshape(takeElements(tf, this.values, positions, fill), resolved));
  }

  /**
   * Returns rows `start` to `end` (exclusive). Their values keep the order in which they are stored.
   * @throws {ArgumentError} `invalid-argument` (`row-range`). @throws The errors of {@link hostIndices}.
   */
  slice(start: number, end: number, options: TensorOpsOptions): SparseTensor {
    assertOptions("slice", options, { tf: aTensorOps });
    const { tf } = options;
    const [numRows = 0, ...sizes] = this.denseShape;
    assertRowRange(start, end, numRows);
    assertAlive([this]);
    const { positions, indices } = valuesOfRows(this.hostIndices, this.denseShape.length, start, end);
    const makeValues = (): Tensor => takeElements(tf, this.values, positions);
    return made(tf, indices, [end - start, ...sizes], makeValues);
  }

  /**
   * Concatenates the rows of all tensors, which must share dtype and rank. Each dimension after the batch dimension
   * takes its largest size in any of the tensors, or -1 if its size is unknown in one of them.
   * @throws {ArgumentError} `invalid-argument` (`no-tensors`, `unlike-tensors`). @throws The errors of {@link hostIndices}.
   */
  static concat(tensors: readonly SparseTensor[], options: TensorOpsOptions): SparseTensor {
    assertOptions("concat", options, { tf: aTensorOps });
    assertSome(tensors, SparseTensor);
    assertAlive(tensors, "tensors");
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
    const indices = joinedIndices(tensors, rank);
    const numRows = tensors.reduce((total, { denseShape }) => total + (denseShape[0] as number), 0);
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

  /** True for the same dtype, dense shape, values, and indices in the same order. NaN equals NaN. */
  async equals(other: SparseTensor): Promise<boolean> {
    if (!(other instanceof SparseTensor)) return false;
    assertAlive([this, other]);
    if (!sameNumbers(this.denseShape, other.denseShape)) return false;
    if (!sameNumbers(this.hostIndices, other.hostIndices)) return false;
    return sameElements(this.values, other.values);
  }

  /** Frees both tensors. Safe to call twice. */
  dispose(): void {
    this.indices.dispose();
    this.values.dispose();
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
