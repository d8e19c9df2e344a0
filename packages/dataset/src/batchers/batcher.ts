import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { describeLeaf, hostOfLeaf, placeOfLeaf, withCommonDType } from "../columns/host-leaf.js";
import { isTensor } from "../columns/structure.js";
import type { TensorFlow } from "../plan.js";

/** The position of a batch, for error messages, and the TensorFlow.js module that stacks its tensors. */
export interface BatchContext {
  /** The public method that the caller used. */
  readonly operator: string;
  /** Index of the batch's first element in the input of the operator. */
  readonly elementIndex: number;
  /** Component path; `""` for elements without components. */
  readonly path: string;
  /** Undefined before `withTensors`. */
  readonly tf: TensorFlow | undefined;
}

/** Combines the leaves of one component into one batched value. */
export interface Batcher {
  /** Returns a batch of at least one leaf, with a leading batch dimension. The caller still owns the leaves. */
  batch(leaves: readonly unknown[], context: BatchContext): unknown;
  /** Returns an empty batch. @throws {ArgumentError} `invalid-argument` (`empty`) if it needs a shape that is unknown. */
  empty(context: BatchContext): unknown;
}

/**
 * Converts leaves to dense, sparse or ragged host values without a batch dimension.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) for leaves of different dtypes, and for leaves without host
 *   values, such as tensors and null.
 */
export function hostLeaves(leaves: readonly unknown[], context: BatchContext): readonly HostColumn[] {
  const found = leaves.map((leaf, index) => {
    const host = isTensor(leaf) ? undefined : hostOfLeaf(leaf, () => placeOf(context, index));
    if (host !== undefined) return host;
    const other = isTensor(leaf) ? "a tensor (call this method before withTensors)" : describeLeaf(leaf);
    throw wrongLeaf(context, index, other, "a scalar, an array of scalars or a host column");
  });
  const hosts = withCommonDType(leaves, found);
  const { dtype } = hosts[0] as HostColumn;
  hosts.forEach((host, index) => {
    if (host.dtype !== dtype) throw wrongLeaf(context, index, host.dtype, `${dtype} as in earlier elements`);
  });
  return hosts;
}

/** Returns the error for a leaf that cannot join the batch. @param index Position of the leaf in the batch, from 0. */
export function wrongLeaf(
  context: BatchContext,
  index: number,
  found: string,
  expected: string,
): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `${placeOf(context, index)} is ${found}, but must be ${expected}.`,
    { reason: "unequal-elements" },
  );
}

/** Returns the error for a leaf of the wrong kind (dense, sparse or ragged). */
export function wrongKind(
  context: BatchContext,
  index: number,
  found: string,
  expected: string,
): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `${placeOf(context, index)} is ${found}, but must be ${expected}.`,
    { reason: "type-mismatch", columnPath: context.path },
  );
}

/** Returns the operator and the place of the leaf at `index` in the batch, in words. See {@link placeOfLeaf}. */
export function placeOf({ operator, path, elementIndex }: BatchContext, index: number): string {
  return placeOfLeaf(operator, path, elementIndex + index);
}
