import type { DType, HostArrays } from "@tfxio/tensor-adapter";
import type { Json } from "../expression/json.js";

/**
 * A function of values, described as plain JSON so that a query can be compared and saved. Create one with {@link
 * valueFunctions}. It maps the values of one field, or of two fields with the same parents, to the same number of values.
 */
export interface ValueFunction {
  readonly name: string;
  readonly args: readonly Json[];
}

/** Values of one type. */
export interface TypedValues<D extends DType = DType> {
  readonly dtype: D;
  readonly values: HostArrays[D];
}

/** Implementation of a built-in function. */
export interface ValueFunctionSpec {
  /** The number of input fields for these arguments. */
  numInputs(args: readonly Json[]): number;
  /** The result type for these input types; undefined if the function does not accept them. */
  resultType(inputs: readonly DType[], args: readonly Json[]): DType | undefined;
  /** Checks that constants fit values of this type. @throws {ArgumentError} `invalid-argument`. */
  assertConstants?(dtype: DType, args: readonly Json[]): void;
  /** The accepted input types, in words, for error messages. */
  readonly takes: string;
  apply(inputs: readonly TypedValues[], args: readonly Json[], length: number): HostArrays[DType];
}

/** A constant argument of a function. Text stands for its UTF-8 bytes. */
export type Constant = number | bigint | boolean | string | Uint8Array;

/** True for types with bigint values. */
export function isBig(dtype: DType): dtype is "int64" | "uint64" {
  return dtype === "int64" || dtype === "uint64";
}

/** True for float32 and float64. False for float16, whose typed arrays hold bit patterns. */
export function isFloat(dtype: DType): dtype is "float32" | "float64" {
  return dtype === "float32" || dtype === "float64";
}

/** True for types that arithmetic accepts. */
export function isNumber(dtype: DType): boolean {
  return dtype !== "string" && dtype !== "bool" && dtype !== "float16";
}
