import { ConversionError, isTfxioError } from "@tfxio/wire";
import { invalidArgument, oneOf } from "@tfxio/wire/checks";
import { fromFloat16 } from "@tfxio/arrow-encoding";
import type { ColumnNumber, DType, HostArrays, HostColumn, HostValues } from "./host-column.js";

/**
 * Conversion of values of int64, uint64 and uint32, dtypes that TensorFlow.js lacks:
 * - `"int32"`: a value outside int32 throws `out-of-range`.
 * - `"float32"`: a value that float32 cannot hold exactly throws `out-of-range`.
 * - `"float32-lossy"`: rounds to float32.
 * - `"host"`: keeps the host column instead of making a tensor.
 */
export type Int64Policy = "int32" | "float32" | "float32-lossy" | "host";

/**
 * Conversion of values of float64, a dtype that TensorFlow.js lacks. The names mean the same as in {@link Int64Policy}. NaN and
 * infinities count as exact.
 */
export type Float64Policy = "float32" | "float32-lossy" | "host";

/** The typed arrays that hold numeric tensors in TensorFlow.js. */
export type TensorArray = Int32Array | Float32Array;

/** The options for one column. */
export interface ColumnPolicies {
  /** Policy for int64, uint64 and uint32. Default `"int32"`: most ids and counts fit, and any other value is an error. */
  readonly int64?: Int64Policy | undefined;
  /** Policy for float64. Default `"float32"`: an inexact value is an error, so that no precision is lost silently. */
  readonly float64?: Float64Policy | undefined;
}

/** The policies of a column that becomes a tensor. Only the policy for the column's dtype is used, and it is not `"host"`. */
export interface NarrowingPolicies {
  readonly int64: Exclude<Int64Policy, "host">;
  readonly float64: Exclude<Float64Policy, "host">;
}

/** Called with the first value that the target dtype cannot hold, and with its index in the flat values. Must throw. */
export type RejectValue<Target = "int32" | "float32"> = (
  index: number,
  value: number | bigint,
  target: Target,
) => never;

/** Every {@link Float64Policy}. */
export const FLOAT64_POLICIES: readonly Float64Policy[] = ["float32", "float32-lossy", "host"];
/** Every {@link Int64Policy}. */
export const INT64_POLICIES: readonly Int64Policy[] = ["int32", ...FLOAT64_POLICIES];

/**
 * Returns the policies for narrowing a column; undefined when its policy is `"host"`.
 * @throws {ArgumentError} `invalid-argument` for an unknown policy.
 */
export function narrowingPolicies(
  { dtype }: Pick<HostColumn, "dtype">,
  { int64 = "int32", float64 = "float32" }: ColumnPolicies,
): NarrowingPolicies | undefined {
  assertPolicy("int64", int64, INT64_POLICIES);
  assertPolicy("float64", float64, FLOAT64_POLICIES);
  const own = isWideInteger(dtype) ? int64 : dtype === "float64" ? float64 : undefined;
  // A column that stays on the host is not narrowed.
  return own === "host" ? undefined : ({ int64, float64 } as NarrowingPolicies);
}

function assertPolicy(argument: string, policy: string, policies: readonly string[]): void {
  if (policies.includes(policy)) return;
  throw invalidArgument(argument, oneOf(...policies).expected, policy);
}

/** True for the dtypes that an {@link Int64Policy} covers. */
function isWideInteger(dtype: DType): boolean {
  return dtype === "int64" || dtype === "uint64" || dtype === "uint32";
}

/**
 * Converts numbers of any dtype to int32 or float32. Returns int32 and float32 arrays unchanged, and widens narrower integers and
 * float16. The policies apply to the other dtypes. With the policy `"int32"`, a uint32 array becomes a view of the same memory.
 */
export function narrowed(
  dtype: ColumnNumber,
  values: HostValues,
  { int64, float64 }: NarrowingPolicies,
  reject: RejectValue,
): TensorArray {
  const numbers = values as HostArrays[ColumnNumber];
  switch (dtype) {
    case "int32":
    case "float32":
      return numbers as TensorArray;
    case "int8":
    case "int16":
    case "uint8":
    case "uint16":
      return Int32Array.from(numbers as Int8Array);
    case "float16":
      return Float32Array.from(numbers as Uint16Array, fromFloat16);
    case "float64":
      return toFloat32(numbers, float64 === "float32-lossy", reject);
    default:
      if (int64 !== "int32") return toFloat32(numbers, int64 === "float32-lossy", reject);
      return dtype === "uint32"
        ? uint32ToInt32(numbers as Uint32Array, reject)
        : int64ToInt32(numbers as BigInt64Array, dtype, reject);
  }
}

/** Like {@link narrowed}, but returns undefined if a value does not fit the target dtype. */
export function narrowedIfExact(
  dtype: ColumnNumber,
  values: HostValues,
  policies: NarrowingPolicies,
): TensorArray | undefined {
  try {
    return narrowed(dtype, values, policies, (index, value, target) => {
      throw new ConversionError("out-of-range", `Value ${index}, ${value}, does not fit ${target}.`);
    });
  } catch (error) {
    if (isTfxioError(error, "out-of-range")) return undefined;
    throw error;
  }
}

/** Returns the dtype of the result of {@link narrowed}. */
export function narrowedDType(dtype: ColumnNumber, { int64 }: NarrowingPolicies): "int32" | "float32" {
  if (dtype.startsWith("float")) return "float32";
  return isWideInteger(dtype) && int64 !== "int32" ? "float32" : "int32";
}

function uint32ToInt32(values: Uint32Array, reject: RejectValue): Int32Array {
  const narrow = new Int32Array(values.buffer, values.byteOffset, values.length);
  const outside = narrow.findIndex((value) => value < 0);
  return outside < 0 ? narrow : reject(outside, values[outside] as number, "int32");
}

/**
 * Converts 64-bit integers in 32-bit halves, because bigint arithmetic is several times slower. Relies on little-endian byte
 * order, as in Arrow buffers and on every platform that runs TensorFlow.js.
 */
function int64ToInt32(
  values: BigInt64Array | BigUint64Array,
  dtype: "int64" | "uint64",
  reject: RejectValue,
): Int32Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const narrow = new Int32Array(values.length);
  for (let index = 0; index < narrow.length; index++) {
    const low = halves[index * 2] as number;
    const high = halves[index * 2 + 1] as number;
    // The high half must equal the sign extension of the low half. For unsigned values it must also be 0.
    if (high !== low >> 31 || (dtype === "uint64" && high !== 0))
      reject(index, values[index] as bigint, "int32");
    narrow[index] = low;
  }
  return narrow;
}

function toFloat32(values: ArrayLike<number | bigint>, lossy: boolean, reject: RejectValue): Float32Array {
  const narrow = new Float32Array(values.length);
  for (let index = 0; index < narrow.length; index++) {
    const value = values[index] as number | bigint;
    const double = Number(value);
    narrow[index] = double;
    if (!lossy && !(isExact(value, double) && Object.is(narrow[index], double)))
      reject(index, value, "float32");
  }
  return narrow;
}

function isExact(value: number | bigint, double: number): boolean {
  return typeof value === "number" || Math.abs(double) <= Number.MAX_SAFE_INTEGER || BigInt(double) === value;
}
