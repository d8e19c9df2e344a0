import {
  BytesColumn,
  type DType,
  type HostColumn,
  type HostDense,
  type HostValues,
} from "@tfxio/tensor-adapter";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { createNumericArray, dtypeOfTypedArray, type NumericArray } from "./host-array.js";
import { isHostColumn } from "./structure.js";

/**
 * Converts a leaf to a host value without a batch dimension. A number becomes float32, a bigint int64, and a boolean bool. Text
 * and a `Uint8Array` each become one byte string. Any other typed array becomes a vector of its dtype, and is borrowed. A nested
 * array keeps its shape. Returns undefined for leaves without host values: tensors and arrays of them, datasets, null, functions.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) for an array that is not rectangular or mixes types.
 * @throws {ConversionError} `out-of-range` for a bigint that int64 cannot hold.
 */
export function hostOfLeaf(leaf: unknown): HostColumn | undefined {
  if (isHostColumn(leaf)) return leaf;
  if (Array.isArray(leaf)) {
    const shape = shapeOf(leaf);
    const scalars: unknown[] = [];
    flattenInto(scalars, leaf, shape, 0);
    return hostOfScalars(scalars, shape);
  }
  if (ArrayBuffer.isView(leaf)) {
    const dtype = dtypeOfTypedArray(leaf);
    const values = leaf as NumericArray;
    if (dtype !== undefined) return { kind: "dense", dtype, shape: [values.length], values, borrowed: true };
  }
  return hostOfScalars([leaf], []);
}

/**
 * Gives empty plain arrays, such as `[]`, the dtype of the first leaf that is not an empty array. If all leaves are empty arrays,
 * they stay float32.
 * @param hosts The result of {@link hostOfLeaf} for each of `leaves`.
 */
export function withCommonDType(
  leaves: readonly unknown[],
  hosts: readonly HostColumn[],
): readonly HostColumn[] {
  const isOpen = (index: number): boolean =>
    Array.isArray(leaves[index]) && hosts[index]?.values.length === 0;
  const typed = hosts.find((_, index) => !isOpen(index));
  if (typed === undefined) return hosts;
  const { dtype } = typed;
  const values = dtype === "string" ? BytesColumn.from([]) : createNumericArray(dtype, 0);
  return hosts.map((host, index) => {
    return isOpen(index) && host.kind === "dense" && host.dtype !== dtype ? { ...host, dtype, values } : host;
  });
}

function hostOfScalars(scalars: readonly unknown[], shape: readonly number[]): HostDense | undefined {
  const type = scalarType(scalars.length === 0 ? 0 : scalars[0]);
  if (type === undefined) return undefined;
  if (scalars.some((value) => scalarType(value) !== type)) {
    throw new ArgumentError(
      "invalid-argument",
      "an array has values of several types, but must have only numbers, only bigints, only booleans, or only text and bytes",
      { reason: "unequal-elements" },
    );
  }
  return { kind: "dense", ...valuesOf(type, scalars), shape, borrowed: false };
}

function valuesOf(
  type: "number" | "bigint" | "boolean" | "bytes",
  scalars: readonly unknown[],
): { dtype: DType; values: HostValues } {
  switch (type) {
    case "number":
      return { dtype: "float32", values: Float32Array.from(scalars as readonly number[]) };
    case "bigint":
      return { dtype: "int64", values: BigInt64Array.from(scalars as readonly bigint[], checkInt64) };
    case "boolean":
      return { dtype: "bool", values: Uint8Array.from(scalars as readonly boolean[], Number) };
    case "bytes": {
      const encoder = new TextEncoder();
      const bytes = (scalars as readonly (string | Uint8Array)[]).map((value) =>
        typeof value === "string" ? encoder.encode(value) : value,
      );
      return { dtype: "string", values: BytesColumn.from(bytes) };
    }
  }
}

function checkInt64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw new ConversionError("out-of-range", `a bigint must fit int64 (-2^63 to 2^63 - 1), found ${value}`);
}

function shapeOf(array: readonly unknown[]): number[] {
  const shape: number[] = [];
  for (let value: unknown = array; Array.isArray(value); value = value[0]) shape.push(value.length);
  return shape;
}

function flattenInto(scalars: unknown[], value: unknown, shape: readonly number[], depth: number): void {
  if (depth === shape.length && !Array.isArray(value)) {
    scalars.push(value);
  } else if (depth < shape.length && Array.isArray(value) && value.length === shape[depth]) {
    for (const item of value) flattenInto(scalars, item, shape, depth + 1);
  } else {
    throw new ArgumentError(
      "invalid-argument",
      `a nested array must be rectangular: its first items imply shape [${shape.join(", ")}], but other items differ`,
      { reason: "unequal-elements" },
    );
  }
}

function scalarType(value: unknown): "number" | "bigint" | "boolean" | "bytes" | undefined {
  const type = typeof value;
  if (type === "number" || type === "bigint" || type === "boolean") return type;
  return type === "string" || isBytes(value) ? "bytes" : undefined;
}

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array";
}
