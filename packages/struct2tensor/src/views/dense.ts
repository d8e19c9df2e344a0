import { BytesColumn } from "@tfxio/arrow-encoding";
import type { DType, HostArrays, HostDense, HostSparse, NumberDType } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { invalidArgument } from "@tfxio/wire/checks";
import { integerRanges, isInRange } from "../functions/integer-ranges.js";
import { type Constant, isBig } from "../functions/value-function.js";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import { assertCount, emptyNumbers, fillBytes, storedNumber } from "../prensor/positions.js";

/** Options of {@link Prensor.dense}. */
export interface DenseOptions {
  /**
   * Fills missing values. Must fit the type of the tensor: integer types reject values outside their range. A tensor of 64-bit
   * integers takes a bigint or a safe integer. For a tensor of floats, the value is rounded to the type, and becomes infinity
   * beyond its range. Text stands for its UTF-8 bytes. Default: none; a missing value is an error.
   */
  readonly defaultValue?: Constant | undefined;
  /** Sizes of the dimensions after the batch dimension. Default: the sizes of {@link Prensor.sparse}. */
  readonly shape?: readonly number[] | undefined;
}

/** Names of the options in error messages. A caller whose own options have other names passes those names. */
interface OptionNames extends Readonly<Record<keyof DenseOptions, string>> {
  /** Returns the name of the size at this index of `shape`. */
  readonly sizeAt: (index: number) => string;
}

const OWN_NAMES: OptionNames = {
  shape: "shape",
  sizeAt: (index) => `shape[${index}]`,
  defaultValue: "defaultValue",
};

/**
 * Pads a sparse tensor to a dense one. Copies the values.
 * @param name name of the field, or of the model input, in error messages.
 * @throws The errors of {@link Prensor.dense}.
 */
export function denseView(
  sparse: HostSparse,
  options: DenseOptions,
  name: string,
  optionNames: OptionNames = OWN_NAMES,
): HostDense {
  const [size = 0, ...tight] = sparse.denseShape;
  const inner = options.shape ?? tight;
  const unfit = tight.findIndex((length, index) => length > (inner[index] ?? 0));
  if (inner.length !== tight.length) {
    const needed = tight.length === 0 ? "" : `; this batch needs at least [${tight.join(", ")}]`;
    throw shapeMismatch(
      `${optionNames.shape} must have length ${tight.length}, with one size for each dimension of "${name}" after the batch ` +
        `dimension, found [${inner.join(", ")}]${needed}.`,
    );
  }
  if (unfit >= 0) {
    throw shapeMismatch(
      `${optionNames.sizeAt(unfit)} must be at least ${tight[unfit]}, the size of this dimension of "${name}" in this batch, ` +
        `found ${inner[unfit]}.`,
    );
  }
  const shape = [size, ...inner];
  const length = shape.reduce((product, extent) => product * extent, 1);
  assertCount(length);
  const positions = flatPositions(sparse.indices, shape);
  if (positions.length < length && options.defaultValue === undefined) {
    throw new ConversionError(
      "not-convertible",
      `"${name}" has values for only ${positions.length} of ${length} elements. Set ${optionNames.defaultValue} for the missing ones.`,
      { reason: "missing-value", columnPath: name },
    );
  }
  // Without a default value, the check above ensures that every position has a value, so the filler is never read.
  const { defaultValue = "" } = options;
  const values =
    sparse.values instanceof BytesColumn
      ? fillBytes(sparse.values, positions, length, bytesOf(defaultValue, badDefault(name)))
      : filledNumbers(sparse, positions, length, options.defaultValue, name);
  return { kind: "dense", dtype: sparse.dtype, shape, values, borrowed: false };
}

/** Converts sparse indices to positions in the flat dense array, row-major. */
function flatPositions(indices: Int32Array, shape: readonly number[]): Int32Array {
  const rank = shape.length;
  const positions = new Int32Array(indices.length / rank);
  for (let index = 0; index < positions.length; index++) {
    let position = 0;
    for (let dimension = 0; dimension < rank; dimension++) {
      position = position * shape[dimension]! + indices[index * rank + dimension]!;
    }
    positions[index] = position;
  }
  return positions;
}

/** Fills a new array with the default value, then writes the values to their positions. */
function filledNumbers(
  { dtype, values }: HostSparse,
  positions: Int32Array,
  length: number,
  defaultValue: DenseOptions["defaultValue"],
  name: string,
): HostArrays[NumberDType] {
  const filled = emptyNumbers(dtype as NumberDType, length) as Int32Array;
  if (defaultValue !== undefined) {
    filled.fill(numberOf(defaultValue, dtype, badDefault(name)) as number);
  }
  const from = values as Int32Array;
  for (let index = 0; index < positions.length; index++) filled[positions[index]!] = from[index]!;
  return filled;
}

/** Creates the error for an invalid default value. `expected` is what the value must be, and `found` is what it is. */
type Rejection = (expected: string, found: string) => Error;

/**
 * Asserts that {@link denseView} accepts a default value for a tensor of this type.
 * @param argument name of the default value in error messages.
 * @throws {ArgumentError} `invalid-argument`.
 */
export function assertDefault(argument: string, value: Constant, dtype: DType): void {
  const reject: Rejection = (expected) => invalidArgument(argument, expected, value);
  if (dtype === "string") bytesOf(value, reject);
  else numberOf(value, dtype, reject);
}

/** Returns the default value as an element of a typed array. Booleans become 0 and 1, but are rejected for 64-bit integers. */
function numberOf(value: Constant, dtype: DType, reject: Rejection): number | bigint {
  const range = integerRanges[dtype];
  if (isBig(dtype)) {
    if (typeof value !== "bigint" && !Number.isSafeInteger(value)) {
      throw reject("a bigint or a safe integer", typeof value === "number" ? String(value) : typeof value);
    }
  } else if (typeof value !== "number" && typeof value !== "boolean") {
    throw reject("a number or boolean", typeof value);
  }
  const number = isBig(dtype) ? BigInt(value as bigint | number) : Number(value);
  if (range !== undefined && !isInRange(number, dtype)) {
    throw reject(`an integer from ${range[0]} to ${range[1]}, for ${dtype}`, String(value));
  }
  return storedNumber(number, dtype);
}

/** Returns the default value as bytes. */
function bytesOf(value: Constant, reject: Rejection): Uint8Array {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (value instanceof Uint8Array) return value;
  throw reject("text or bytes", typeof value);
}

function badDefault(name: string): Rejection {
  return (expected, found) =>
    new ConversionError(
      "not-convertible",
      `The defaultValue of "${name}" must be ${expected}, found ${found}.`,
      { reason: "default-value", columnPath: name },
    );
}
