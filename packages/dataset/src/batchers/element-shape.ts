import type { DType, HostDense } from "@tfxio/tensor-adapter";
import { BytesColumn } from "@tfxio/tensor-adapter";
import { anInteger, type Rule, rule } from "@tfxio/wire/checks";
import { createNumericArray } from "../columns/host-array.js";

/** Shape of one element, without the batch dimension. null or -1 means that the size is not fixed. */
export type ElementShape = readonly (number | null)[];

const aSize = anInteger(-1);

/** Accepts an {@link ElementShape}. */
export const anElementShape: Rule = rule(
  "a list of sizes, each an integer of at least 0, or null or -1 for the largest size in the batch",
  (value) => Array.isArray(value) && value.every((size) => size === null || aSize.holds(size)),
);

/** Returns the fixed size of a dimension, or undefined if `shape` does not fix it. */
export function fixedSize(shape: ElementShape | undefined, dimension: number): number | undefined {
  const size = shape?.[dimension] ?? -1;
  return size < 0 ? undefined : size;
}

/** Returns an empty batch of shape `[0, ...shape]`. */
export function emptyDense(dtype: DType, shape: readonly number[]): HostDense {
  const values = dtype === "string" ? BytesColumn.from([]) : createNumericArray(dtype, 0);
  return { kind: "dense", dtype, shape: [0, ...shape], values, borrowed: false };
}
