import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { columnOfOne, gatherColumns, hasLayoutOf, layoutOf } from "./column-rows.js";
import { wholeSources } from "./row-ranges.js";
import { hostOfLeaf } from "./host-leaf.js";
import type { TensorFlow } from "../plan.js";
import { planOf } from "../plan-of.js";
import {
  componentPath,
  componentsOf,
  disposeElements,
  isTensor,
  isTuple,
  withComponents,
} from "./structure.js";

/** Where the elements to stack stand, for errors, and what tensors are stacked with. */
export interface StackContext {
  /** Index of the first element. */
  readonly elementIndex: number;
  readonly tf: TensorFlow | undefined;
}

/**
 * Elements of one structure as one element with a leading dimension: host columns for host values, tensors for
 * tensors. Dense leaves need equal shapes and dtypes; sparse ones take the largest size per dimension; ragged ones get
 * one more ragged dimension; null stays null if all are. The elements stay the caller's to dispose.
 * @throws {ArgumentError} `invalid-argument` naming component, element and both forms when the elements differ.
 */
export function stackElements(elements: readonly unknown[], context: StackContext, path = ""): unknown {
  const first = elements[0];
  const components = componentsOf(first);
  if (components === undefined) return stackLeaves(elements, context, path);
  const columns = components.map((): unknown[] => []);
  elements.forEach((element, index) => {
    const found = componentsOf(element);
    if (found?.length !== components.length || isTuple(element) !== isTuple(first)) {
      throw mismatch(context, index, path, describe(element), describe(first));
    }
    const byKey = isTuple(element) ? undefined : (element as Readonly<Record<string, unknown>>);
    components.forEach(([key], at) => {
      if (byKey !== undefined && !Object.hasOwn(byKey, key)) {
        throw mismatch(context, index, path, describe(element), describe(first));
      }
      columns[at]?.push(byKey === undefined ? found[at]?.[1] : byKey[key]);
    });
  });
  const stacked: (readonly [string, unknown])[] = [];
  try {
    components.forEach(([key], at) => {
      stacked.push([key, stackElements(columns[at] as unknown[], context, componentPath(path, key))]);
    });
  } catch (error) {
    disposeElements(stacked.map(([, component]) => component));
    throw error;
  }
  return withComponents(first, stacked);
}

function stackLeaves(leaves: readonly unknown[], context: StackContext, path: string): unknown {
  const first = leaves[0];
  const missing = leaves.indexOf(undefined);
  if (missing >= 0) {
    throw new ArgumentError(
      "invalid-argument",
      `batch: ${placeOf(context, missing, path)} is undefined, expected a value, or null where there is none`,
      { reason: "unequal-elements" },
    );
  }
  if (first === null) {
    const other = leaves.findIndex((leaf) => leaf !== null);
    if (other >= 0) throw mismatch(context, other, path, describe(leaves[other]), "null");
    return null;
  }
  if (planOf(first) !== undefined) {
    const other = leaves.findIndex((leaf) => planOf(leaf) === undefined);
    if (other >= 0) throw mismatch(context, other, path, describe(leaves[other]), "a Dataset");
    return [...leaves];
  }
  if (typeof first === "number" && leaves.every((leaf) => typeof leaf === "number")) {
    const values = Float32Array.from(leaves);
    return { kind: "dense", dtype: "float32", shape: [leaves.length], values, borrowed: false };
  }
  if (isTensor(first)) return stackTensors(leaves, context, path);
  const columns = leaves.map((leaf, index) => {
    const host = hostOfLeaf(leaf);
    if (host === undefined)
      throw mismatch(context, index, path, describe(leaf), "a value that can be batched");
    return columnOfOne(host);
  });
  const expected = columns[0] as HostColumn;
  columns.forEach((column, index) => {
    if (hasLayoutOf(column, expected)) return;
    throw mismatch(context, index, path, layoutOf(column), layoutOf(expected));
  });
  return gatherColumns(columns, wholeSources(columns.map(() => 1)), path);
}

function stackTensors(leaves: readonly unknown[], { tf, ...context }: StackContext, path: string): unknown {
  if (tf === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      "batch: elements hold tensors; call withTensors({ tf }) first, so that they can be stacked",
    );
  }
  const tensors = leaves.map((leaf, index) => {
    if (!isTensor(leaf)) throw mismatch({ tf, ...context }, index, path, describe(leaf), describe(leaves[0]));
    return leaf;
  });
  const expected = describe(tensors[0]);
  tensors.forEach((tensor, index) => {
    if (describe(tensor) !== expected) {
      throw mismatch({ tf, ...context }, index, path, describe(tensor), expected);
    }
  });
  return tf.stack(tensors);
}

function mismatch(
  context: StackContext,
  index: number,
  path: string,
  found: string,
  expected: string,
): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `batch: ${placeOf(context, index, path)} is ${found}, expected ${expected} as in the elements before`,
    { reason: "unequal-elements" },
  );
}

function placeOf({ elementIndex }: StackContext, index: number, path: string): string {
  return `${path === "" ? "element" : `component "${path}" of element`} ${elementIndex + index}`;
}

function describe(value: unknown): string {
  const components = componentsOf(value);
  if (components !== undefined) {
    const keys = components.map(([key]) => key).join(", ");
    return isTuple(value) ? `a tuple of ${components.length}` : `a dict of {${keys}}`;
  }
  if (isTensor(value)) return `a ${value.dtype} tensor of shape [${value.shape.join(", ")}]`;
  const host = hostOfLeaf(value);
  return host === undefined ? (value === null ? "null" : typeof value) : layoutOf(columnOfOne(host));
}
