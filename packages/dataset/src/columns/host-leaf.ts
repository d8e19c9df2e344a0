import {
  BytesColumn,
  type DType,
  type HostColumn,
  type HostDense,
  type HostValues,
} from "@tfxio/tensor-adapter";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { createNumericArray, dtypeOfTypedArray, type NumericArray } from "./host-array.js";
import { isHostColumn } from "./structure.js";

/** Returns the start of an error message about a leaf. See {@link placeOfLeaf}. */
export type LeafPlace = () => string;

/**
 * Returns the operator and the place of a leaf, in words: `batch: element 3` or `batch: component "a" of element 3`.
 * @param path Component path; `""` for elements without components.
 */
export function placeOfLeaf(operator: string, path: string, elementIndex: number): string {
  return `${operator}: ${path === "" ? "element" : `component "${path}" of element`} ${elementIndex}`;
}

/**
 * Converts a leaf to a host value without a batch dimension. A number becomes float32, a bigint becomes int64, and a boolean
 * becomes bool. Text and a `Uint8Array` each become one byte string. Any other typed array becomes a vector of its dtype, and is
 * borrowed. A nested array keeps its shape. A host value is returned unchanged. Returns undefined for any other leaf, such as a
 * tensor, an array of tensors, a dataset, null or a function.
 * @param place Called only if this function throws.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) for an array that is not rectangular or mixes types.
 * @throws {ConversionError} `out-of-range` for a bigint that int64 cannot hold.
 */
export function hostOfLeaf(leaf: unknown, place: LeafPlace): HostColumn | undefined {
  if (isHostColumn(leaf)) return leaf;
  if (Array.isArray(leaf)) {
    const shape = shapeOf(leaf);
    const scalars: unknown[] = [];
    if (!flattenInto(scalars, leaf, shape, 0)) {
      throw new ArgumentError(
        "invalid-argument",
        `${place()} must be rectangular: its first items imply shape [${shape.join(", ")}], but other items differ.`,
        { reason: "unequal-elements" },
      );
    }
    return hostOfScalars(scalars, shape, place);
  }
  if (ArrayBuffer.isView(leaf)) {
    const dtype = dtypeOfTypedArray(leaf);
    const values = leaf as NumericArray;
    if (dtype !== undefined) return { kind: "dense", dtype, shape: [values.length], values, borrowed: true };
  }
  return hostOfScalars([leaf], [], place);
}

/**
 * Describes in words a leaf for which {@link hostOfLeaf} returns undefined. For an array, describes the first item that is not a
 * scalar.
 */
export function describeLeaf(leaf: unknown): string {
  if (!Array.isArray(leaf)) return describeValue(leaf);
  const items: readonly unknown[] = leaf.flat(Number.POSITIVE_INFINITY);
  return `an array that contains ${describeValue(items.find((item) => scalarType(item) === undefined))}`;
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

function hostOfScalars(
  scalars: readonly unknown[],
  shape: readonly number[],
  place: LeafPlace,
): HostDense | undefined {
  const type = scalarType(scalars.length === 0 ? 0 : scalars[0]);
  if (type === undefined) return undefined;
  if (scalars.some((value) => scalarType(value) !== type)) {
    throw new ArgumentError(
      "invalid-argument",
      `${place()} is an array with values of several types, but must have only numbers, only bigints, only booleans, or only text and bytes.`,
      { reason: "unequal-elements" },
    );
  }
  return { kind: "dense", ...valuesOf(type, scalars, place), shape, borrowed: false };
}

function valuesOf(
  type: "number" | "bigint" | "boolean" | "bytes",
  scalars: readonly unknown[],
  place: LeafPlace,
): { dtype: DType; values: HostValues } {
  switch (type) {
    case "number":
      return { dtype: "float32", values: Float32Array.from(scalars as readonly number[]) };
    case "bigint":
      return { dtype: "int64", values: int64Values(scalars as readonly bigint[], place) };
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

function int64Values(bigints: readonly bigint[], place: LeafPlace): BigInt64Array {
  return BigInt64Array.from(bigints, (value) => {
    if (BigInt.asIntN(64, value) === value) return value;
    throw new ConversionError(
      "out-of-range",
      `${place()} must fit int64 (-2^63 to 2^63 - 1), found ${value}.`,
    );
  });
}

function shapeOf(array: readonly unknown[]): number[] {
  const shape: number[] = [];
  for (let value: unknown = array; Array.isArray(value); value = value[0]) shape.push(value.length);
  return shape;
}

/** Appends the scalars of a nested array. Returns false if its shape is not `shape`. */
function flattenInto(scalars: unknown[], value: unknown, shape: readonly number[], depth: number): boolean {
  if (!Array.isArray(value)) {
    scalars.push(value);
    return depth === shape.length;
  }
  if (value.length !== shape[depth]) return false;
  for (const item of value) if (!flattenInto(scalars, item, shape, depth + 1)) return false;
  return true;
}

function scalarType(value: unknown): "number" | "bigint" | "boolean" | "bytes" | undefined {
  const type = typeof value;
  if (type === "number" || type === "bigint" || type === "boolean") return type;
  return type === "string" || isBytes(value) ? "bytes" : undefined;
}

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array";
}
