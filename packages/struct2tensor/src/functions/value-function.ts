import type { DType, HostArrays } from "@tfxio/tensor-adapter";
import type { Json } from "../expression/json.js";

/**
 * A function of values, described as plain JSON so that a query can be compared and saved. Create one with {@link
 * valueFunctions}. It computes one result for each value of a field, or for each pair of values of two fields.
 */
export interface ValueFunction {
  /** Name of the function in {@link valueFunctions}. */
  readonly name: string;
  /** Arguments of the call. Constants that JSON cannot hold are objects, such as `{ int: "1" }` for a bigint. */
  readonly args: readonly Json[];
}

/** Values of one type. */
export interface TypedValues<D extends DType = DType> {
  readonly dtype: D;
  readonly values: HostArrays[D];
}

/** Implementation of a built-in function. */
export interface ValueFunctionSpec {
  /** Returns the number of input fields for these arguments. */
  numInputs(args: readonly Json[]): number;
  /** Returns the result type for these input types, or undefined if the function does not accept them. */
  resultType(inputs: readonly DType[], args: readonly Json[]): DType | undefined;
  /** Asserts that the constants suit values of this type. @throws {ArgumentError} `invalid-argument`. */
  assertConstants?(dtype: DType, args: readonly Json[]): void;
  /** The accepted input types, in words, for error messages. */
  readonly takes: string;
  /** Computes the result. @param length number of values of each input, and of the result. */
  apply(inputs: readonly TypedValues[], args: readonly Json[], length: number): HostArrays[DType];
}

/** A constant in a query, such as an argument of a function or the value of `fill`. Text stands for its UTF-8 bytes. */
export type Constant = number | bigint | boolean | string | Uint8Array;

/** Returns true for types with bigint values. */
export function isBig(dtype: DType): dtype is "int64" | "uint64" {
  return dtype === "int64" || dtype === "uint64";
}

/** Returns true for float32 and float64. False for float16, whose typed arrays hold bit patterns. */
export function isFloat(dtype: DType): dtype is "float32" | "float64" {
  return dtype === "float32" || dtype === "float64";
}

/** Returns true for all numeric types except float16, whose typed arrays hold bit patterns. */
export function isNumber(dtype: DType): boolean {
  return dtype !== "string" && dtype !== "bool" && dtype !== "float16";
}
