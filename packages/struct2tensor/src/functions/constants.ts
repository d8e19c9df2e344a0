import { toBase64 } from "@tfxio/arrow-encoding";
import type { DType } from "@tfxio/tensor-adapter";
import { invalidArgument } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import { integerRanges, isInRange } from "./integer-ranges.js";
import { type Constant, isBig } from "./value-function.js";

/** Converts a constant to JSON: bigints to `{ int }`; bytes to `{ bytes }`, in base64; NaN, ±Infinity and -0 to `{ float }`. */
export function constantToJson(constant: Constant, argument = "constant"): Json {
  if (typeof constant === "bigint") return { int: String(constant) };
  if (constant instanceof Uint8Array) return { bytes: toBase64(constant) };
  if (typeof constant === "number" && !Number.isFinite(constant)) return { float: String(constant) };
  if (!["number", "boolean", "string"].includes(typeof constant)) {
    throw invalidArgument(argument, "a number, bigint, boolean, text or bytes", constant);
  }
  return Object.is(constant, -0) ? { float: "-0" } : constant;
}

/**
 * Asserts that a constant fits this type.
 * @param argument name of the argument in error messages.
 * @throws {ArgumentError} `invalid-argument` if its kind does not fit. For an integer type or bool, also if it is not an integer
 *   in the range of the type. For int64 and uint64, integers beyond the safe range must be bigints.
 */
export function assertConstant(argument: string, constant: Constant, dtype: DType): void {
  const json = constantToJson(constant, argument);
  if (dtype === "string") bytesFromJson(json, argument);
  else numberFromJson(json, dtype, argument);
}

/**
 * Converts a constant to a number or bigint for this type.
 * @throws {ArgumentError} `invalid-argument` if it is not a number, bigint or bool. For an integer type or bool, also if it is
 *   not an integer in the range of the type. For int64 and uint64, integers beyond the safe range must be bigints.
 */
export function numberFromJson(json: Json, dtype: DType, argument = "constant"): number | bigint {
  const value = rawNumber(json, argument);
  const range = integerRanges[dtype];
  if (range === undefined) return Number(value);
  const isInexact = isBig(dtype) && Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isInexact) throw invalidArgument(argument, `a bigint or a safe integer, for ${dtype}`, value);
  if (!isInRange(value, dtype)) {
    throw invalidArgument(argument, `an integer from ${range[0]} to ${range[1]}, for ${dtype}`, value);
  }
  return isBig(dtype) ? BigInt(value) : Number(value);
}

/** Parses a number, bigint or bool. Bools become 0 or 1. @throws {ArgumentError} `invalid-argument` for any other constant. */
function rawNumber(json: Json, argument: string): number | bigint {
  if (typeof json === "number") return json;
  if (typeof json === "boolean") return Number(json);
  const members = (json ?? {}) as { readonly int?: string; readonly float?: string };
  if (members.int !== undefined) return BigInt(members.int);
  if (members.float !== undefined) return Number(members.float);
  throw invalidArgument(argument, "a number or a bigint", json);
}

/** Converts a constant to bytes. Text becomes UTF-8. @throws {ArgumentError} `invalid-argument`. */
export function bytesFromJson(json: Json, argument = "constant"): Uint8Array {
  if (typeof json === "string") return new TextEncoder().encode(json);
  const { bytes } = (json ?? {}) as { readonly bytes?: string };
  if (bytes === undefined) throw invalidArgument(argument, "text or bytes", json);
  return Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
}
