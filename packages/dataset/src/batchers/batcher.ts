import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { hostOfLeaf, withCommonDType } from "../columns/host-leaf.js";
import { isTensor } from "../columns/structure.js";
import type { TensorFlow } from "../plan.js";

/** The position of a batch, for error messages, and the TensorFlow module for its tensors. */
export interface BatchContext {
  /** The public method that the caller used. */
  readonly operator: string;
  /** Index of the first element. */
  readonly elementIndex: number;
  /** Component path; `""` for elements without components. */
  readonly path: string;
  readonly tf: TensorFlow | undefined;
}

/** Combines the leaves of one component, at least one, into one batched value. The caller keeps the leaves. */
export interface Batcher {
  batch(leaves: readonly unknown[], context: BatchContext): unknown;
  /** An empty batch. @throws {ArgumentError} `invalid-argument` when its shape is unknown. */
  empty(context: BatchContext): unknown;
}

/**
 * Leaves as dense, sparse or ragged values on the host.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) for other values, for leaves of different dtypes, and
 *   for tensors, which these operators do not read.
 */
export function hostLeaves(leaves: readonly unknown[], context: BatchContext): readonly HostColumn[] {
  const found = leaves.map((leaf, index) => {
    const host = isTensor(leaf) ? undefined : hostOfLeaf(leaf);
    if (host !== undefined) return host;
    const other = isTensor(leaf) ? "a tensor" : leaf === null ? "null" : `a ${typeof leaf}`;
    throw wrongLeaf(context, index, other, "a value on the host; apply it before withTensors");
  });
  const hosts = withCommonDType(leaves, found);
  const { dtype } = hosts[0] as HostColumn;
  hosts.forEach((host, index) => {
    if (host.dtype !== dtype) throw wrongLeaf(context, index, host.dtype, `${dtype} as in earlier elements`);
  });
  return hosts;
}

/** The error for a leaf that cannot join the batch. */
export function wrongLeaf(
  context: BatchContext,
  index: number,
  found: string,
  expected: string,
): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `${context.operator}: ${placeOf(context, index)} is ${found}, expected ${expected}`,
    { reason: "unequal-elements" },
  );
}

/** The error for a leaf whose kind belongs to another batcher. */
export function wrongKind(
  context: BatchContext,
  index: number,
  found: string,
  expected: string,
): SchemaError {
  return new SchemaError(
    "schema-mismatch",
    `${context.operator}: ${placeOf(context, index)} is ${found}, expected ${expected}`,
    { reason: "type-mismatch", columnPath: context.path },
  );
}

/** The component and element, in words. */
export function placeOf({ path, elementIndex }: BatchContext, index: number): string {
  return `${path === "" ? "element" : `component "${path}" of element`} ${elementIndex + index}`;
}
