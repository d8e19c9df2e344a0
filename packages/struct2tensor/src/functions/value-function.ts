import type { DType, HostArrays } from "@tfxio/tensor-adapter";
import type { Json } from "../expression/json.js";

/**
 * A function of values as plain JSON, so that a query with it can be compared and saved: {@link valueFunctions} makes them.
 * It maps the values of one field, or of two with the same parents, to the same number of values.
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

/** Implementation of a function of the closed set. */
export interface ValueFunctionSpec {
  /** Number of fields that it takes, with these arguments. */
  numInputs(args: readonly Json[]): number;
  /** The result type for these input types; undefined if the function does not accept them. */
  resultType(inputs: readonly DType[], args: readonly Json[]): DType | undefined;
  /** Checks that constants fit values of this type. @throws {ArgumentError} `invalid-argument`. */
  assertConstants?(dtype: DType, args: readonly Json[]): void;
  /** Types that it takes, in words. */
  readonly takes: string;
  apply(inputs: readonly TypedValues[], args: readonly Json[], length: number): HostArrays[DType];
}

/** A constant as JSON: 64-bit integers as decimal text in an object, bytes in base64. */
export type Constant = number | bigint | boolean | string | Uint8Array;

/** True for types with bigint values. */
export function isBig(dtype: DType): dtype is "int64" | "uint64" {
  return dtype === "int64" || dtype === "uint64";
}

/** True for floating-point types that typed arrays hold as numbers. */
export function isFloat(dtype: DType): dtype is "float32" | "float64" {
  return dtype === "float32" || dtype === "float64";
}

/** True for types that arithmetic accepts. */
export function isNumber(dtype: DType): boolean {
  return dtype !== "string" && dtype !== "bool" && dtype !== "float16";
}
