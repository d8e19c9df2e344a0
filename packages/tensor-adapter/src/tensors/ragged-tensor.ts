import { ArgumentError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { assertAlive } from "./assert-alive.js";
import { resolvedFill, resolvedShape, type ToDenseOptions } from "./dense-options.js";
import { deviceLayoutsOf } from "./device-layouts.js";
import { concatElements, sliceElements, takeElements } from "./elements.js";
import {
  cooIndices,
  densePositions,
  joinedRowSplits,
  longestList,
  slicedRowSplits,
} from "./ragged-layout.js";
import { assertRaggedParts, checkedRowSplits } from "./ragged-parts.js";
import { SparseTensor } from "./sparse-tensor.js";
import {
  aTensorOps,
  assertRowRange,
  assertSome,
  NO_POSITION,
  sameElements,
  sameNumbers,
  type TensorOps,
  type TensorOpsOptions,
} from "./tensor-ops.js";
import { formatShape } from "../format-shape.js";
import { aList, assertOptions } from "@tfxio/wire/checks";

/**
 * A ragged tensor made of TensorFlow.js tensors. This object owns the tensors. Call {@link dispose} to free them.
 * Operations return new tensors and never change this one; a failed operation leaks none. A ragged tensor that is made inside
 * `tf.tidy` is freed, unless it is returned.
 */
export class RaggedTensor {
  // Private, because tf.tidy searches public fields for tensors, and would visit millions of numbers.
  #rowSplits: readonly Int32Array[] | undefined;
  #areChecked = false;

  /**
   * @param values innermost values, `[numValues, …fixed inner dimensions]`.
   * @param nestedRowSplits row splits, outermost first; at least one. Each is int32 of length `n + 1` for `n` lists.
   * @param rowSplits the same row splits in host memory. If they are passed, they need not be read from the device. The arrays
   *   are not copied, so do not write to them.
   * @throws {ArgumentError} `invalid-argument` for a part with the wrong dtype or shape.
   */
  constructor(
    readonly values: Tensor,
    readonly nestedRowSplits: readonly Tensor[],
    rowSplits?: readonly Int32Array[],
  ) {
    assertRaggedParts(values, nestedRowSplits);
    this.#rowSplits = rowSplits;
  }

  get dtype(): Tensor["dtype"] {
    return this.values.dtype;
  }

  /** Number of ragged dimensions. */
  get raggedRank(): number {
    return this.nestedRowSplits.length;
  }

  /** Sizes of all dimensions, batch dimension first. Null for ragged dimensions. */
  get shape(): readonly (number | null)[] {
    const [splits] = this.nestedRowSplits as [Tensor, ...Tensor[]];
    return [splits.size - 1, ...this.nestedRowSplits.map(() => null), ...this.values.shape.slice(1)];
  }

  /** Returns kind, shape and dtype on one line: `RaggedTensor(shape=[2, ?], dtype=int32, raggedRank=1)`. Reads no values. */
  toString(): string {
    const { shape, dtype, raggedRank } = this;
    return `RaggedTensor(shape=${formatShape(shape)}, dtype=${dtype}, raggedRank=${raggedRank})`;
  }

  /**
   * Row splits on the host, outermost first; do not write to them. Tensors from an adapter or an operation have them already.
   * If the constructor did not receive them, the first use blocks while it reads them from the device. The first use also checks
   * them.
   * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`) for row splits that decrease, do not begin with 0, do not end
   * with the number of elements, or differ in length from those on the device.
   */
  get rowSplits(): readonly Int32Array[] {
    if (this.#areChecked && this.#rowSplits !== undefined) return this.#rowSplits;
    this.#rowSplits = checkedRowSplits(this.values, this.nestedRowSplits, this.#rowSplits);
    this.#areChecked = true;
    return this.#rowSplits;
  }

  /**
   * Returns the lengths of all lists in one ragged dimension, in order; level 0 is the outermost. The result is in host memory.
   * @throws {ArgumentError} `invalid-argument` (`ragged-level`). @throws The errors of {@link rowSplits}.
   */
  rowLengths(level = 0): Int32Array {
    assertAlive([this]);
    const splits = this.rowSplits[level];
    if (splits === undefined) {
      throw new ArgumentError(
        "invalid-argument",
        `level must be an integer of at least 0, and less than the ragged rank ${this.raggedRank}, found ${level}.`,
        {
          reason: "ragged-level",
          argument: "level",
        },
      );
    }
    return splits.subarray(1).map((end, list) => end - (splits[list] as number));
  }

  /**
   * Returns a dense tensor, with lists padded to the length of the longest list in their dimension, or to `shape`. The result can
   * be the input of a layer: for ids, an embedding with `maskZero`; for other values, a masking layer whose `maskValue` is the
   * `defaultValue`, if this number never occurs in the data. Differentiable for floats on backends that support the gradient of
   * `tf.gather`. wasm does not, because it lacks UnsortedSegmentSum.
   * @throws {ArgumentError} `invalid-argument` (`dense-shape`, `default-value`, or `disposed`, which every operation can throw).
   * @throws {ConversionError} like {@link rowSplits}; `out-of-range` (`batch-too-large`).
   * @see tf.RaggedTensor.to_tensor
   */
  toDense(options: ToDenseOptions): Tensor {
    assertOptions("toDense", options, { tf: aTensorOps, defaultValue: null, shape: aList });
    assertAlive([this]);
    const { tf, defaultValue, shape } = options;
    const fill = resolvedFill(defaultValue, this.dtype);
    const resolved = this.#resolvedShape(shape);
    const { values, rowSplits } = this;
    return (
      deviceLayoutsOf(tf)?.dense(tf, values, rowSplits, resolved, fill) ??
      tf.tidy(() => tf.reshape(takeElements(tf, values, this.#positions(resolved), fill), resolved))
    );
  }

  /**
   * Returns a float32 mask `[rows, …ragged dimensions]` for attention and recurrent layers. It is 1 where {@link toDense} with
   * the same `shape` has a value, and 0 where it has padding.
   * @throws The errors of {@link toDense}.
   */
  toMask(options: Omit<ToDenseOptions, "defaultValue">): Tensor {
    assertOptions("toMask", options, { tf: aTensorOps, shape: aList });
    assertAlive([this]);
    const { tf, shape } = options;
    const resolved = this.#resolvedShape(shape);
    const mask = Float32Array.from(this.#positions(resolved), (position) =>
      position === NO_POSITION ? 0 : 1,
    );
    return tf.tensor(mask, resolved.slice(0, 1 + this.raggedRank), "float32");
  }

  /** Returns the same values in COO form. Each ragged dimension becomes as large as its longest list. */
  toSparse(options: TensorOpsOptions): SparseTensor {
    assertOptions("toSparse", options, { tf: aTensorOps });
    assertAlive([this]);
    const { tf } = options;
    const { values, rowSplits } = this;
    const rank = this.raggedRank + values.rank;
    const flat = values.size;
    const denseShape = this.#boundingShape();
    const makeIndices = (): Int32Array => cooIndices(rowSplits, values.shape);
    let hostIndices: Int32Array | undefined;
    const [indices, valueTensor] = tf.tidy((): [Tensor, Tensor] => {
      const onDevice = deviceLayoutsOf(tf)?.indices(tf, rowSplits, values.shape);
      hostIndices = onDevice === undefined ? makeIndices() : undefined;
      return [
        onDevice ?? tf.tensor(hostIndices as Int32Array, [flat, rank], "int32"),
        tf.reshape(values, [flat]),
      ];
    });
    return new SparseTensor(indices, valueTensor, denseShape, hostIndices ?? makeIndices);
  }

  /**
   * Returns rows `start` to `end` (exclusive).
   * @throws {ArgumentError} `invalid-argument` (`row-range`). @throws The errors of {@link rowSplits}.
   */
  slice(start: number, end: number, options: TensorOpsOptions): RaggedTensor {
    assertOptions("slice", options, { tf: aTensorOps });
    assertAlive([this]);
    const { tf } = options;
    assertRowRange(start, end, this.shape[0] as number);
    const { rowSplits, from, to } = slicedRowSplits(this.rowSplits, start, end);
    return made(tf, rowSplits, () => sliceElements(tf, this.values, from, to));
  }

  /**
   * Concatenates the rows of all tensors, which must share dtype, ragged rank and inner shape.
   * @throws {ArgumentError} `invalid-argument` (`no-tensors`, `unlike-tensors`). @throws The errors of {@link rowSplits}.
   */
  static concat(tensors: readonly RaggedTensor[], options: TensorOpsOptions): RaggedTensor {
    assertOptions("concat", options, { tf: aTensorOps });
    assertSome(tensors, RaggedTensor);
    assertAlive(tensors, "tensors");
    const { tf } = options;
    const [first] = tensors as [RaggedTensor];
    const other = tensors.find(({ raggedRank }) => raggedRank !== first.raggedRank);
    if (other !== undefined) {
      throw new ArgumentError(
        "invalid-argument",
        `Cannot join tensors of ragged rank ${first.raggedRank} and ${other.raggedRank}.`,
        { reason: "unlike-tensors", argument: "tensors" },
      );
    }
    const rowSplits = first.rowSplits.map((_, level) =>
      joinedRowSplits(tensors.map((each) => each.rowSplits[level] as Int32Array)),
    );
    return made(tf, rowSplits, () =>
      concatElements(
        tf,
        tensors.map(({ values }) => values),
      ),
    );
  }

  /** True for the same dtype, row splits and values; NaN equals NaN. Reads the values without blocking. */
  async equals(other: RaggedTensor): Promise<boolean> {
    if (!(other instanceof RaggedTensor)) return false;
    assertAlive([this, other]);
    const { rowSplits } = other;
    if (other.raggedRank !== this.raggedRank) return false;
    if (!this.rowSplits.every((splits, level) => sameNumbers(splits, rowSplits[level] as Int32Array)))
      return false;
    return sameElements(this.values, other.values);
  }

  /** Frees all tensors. Safe to call twice. */
  dispose(): void {
    this.values.dispose();
    for (const splits of this.nestedRowSplits) splits.dispose();
  }

  /** Returns the dense shape, with each ragged dimension as large as its longest list. */
  #boundingShape(): number[] {
    const widths = this.rowSplits.map(longestList);
    return [this.shape[0] as number, ...widths, ...this.values.shape.slice(1)];
  }

  #resolvedShape(shape: ToDenseOptions["shape"]): number[] {
    return resolvedShape(shape, this.#boundingShape(), this.values.rank - 1);
  }

  /** Returns, for each element of the dense form without inner dimensions, the index of its value or `NO_POSITION`. */
  #positions(shape: readonly number[]): Int32Array {
    return densePositions(this.rowSplits, shape.slice(0, 1 + this.raggedRank));
  }
}

function made(tf: TensorOps, rowSplits: readonly Int32Array[], makeValues: () => Tensor): RaggedTensor {
  const [values, ...nested] = tf.tidy((): [Tensor, ...Tensor[]] => [
    makeValues(),
    ...rowSplits.map((splits) => tf.tensor(splits, [splits.length], "int32")),
  ]);
  return new RaggedTensor(values, nested, rowSplits);
}
